export{createGate,adkCallbacks}from"./index.js";
