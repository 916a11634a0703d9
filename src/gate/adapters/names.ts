/** Finds the server of a tool that a framework calls. */
export type ServerOf = string | ((tool: string) => { server: string; tool: string } | undefined);

/** The server and the tool's own name; undefined for a tool that is none of a server's. */
export function resolveTool(servers: ServerOf, tool: string): { server: string; tool: string } | undefined {
  return typeof servers === 'string' ? { server: servers, tool } : servers(tool);
}

/** What a refused tool's caller reads. */
export function deniedText(code: string, message: string): string {
  return JSON.stringify({ status: 'denied', code, message: `${code}: ${message}` });
}
