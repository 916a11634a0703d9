/** The release of AgentGate; equal to package.json's, which a test checks. */
export const VERSION = '0.1.0';
