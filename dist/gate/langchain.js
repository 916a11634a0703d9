export{createGate,langchainWrapToolCall}from"./index.js";
