export{createGate,openaiToolGuardrail}from"./index.js";
