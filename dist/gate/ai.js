export{createGate,aiToolApproval}from"./index.js";
