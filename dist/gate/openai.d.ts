export { createGate, openaiToolGuardrail } from './index.js';
export type { Gate, GateCall, GateDecision, GateOptions, Receipt, ServerOf } from './index.js';
