/** What `dist/gate/index.js` holds: the gate's commands and, for the package's subpaths, the hooks of frameworks. */
export { adkCallbacks } from './adapters/adk.ts';
export { aiToolApproval } from './adapters/ai.ts';
export { langchainWrapToolCall } from './adapters/langchain.ts';
export { openaiToolGuardrail } from './adapters/openai.ts';
export { gateMain } from './cli/main.ts';
export { createGate } from './decide.ts';
