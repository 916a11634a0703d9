/** The ten-line workflow of the README, as `agentgate init` writes it. */
export const STARTER_WORKFLOW = `name: agentgate
on: [pull_request, merge_group]
permissions: { contents: read, pull-requests: write }
jobs:
  agentgate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v7
        with: { fetch-depth: 0, persist-credentials: false }
      - uses: agentgate/action@v1
`;

/**
 * The workflow, with the inputs that the first lock was made with: a check that looks at other configs would be red.
 * Undefined inputs are left out. Values are written as JSON, which is YAML too.
 */
export function starterWorkflow(inputs: { [name: string]: string | string[] | true | undefined }): string {
  const lines = Object.entries(inputs).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const text = Array.isArray(value) ? value.join('\n') : String(value);
    return [`          ${name}: ${value === true ? 'true' : JSON.stringify(text)}\n`];
  });
  return lines.length === 0 ? STARTER_WORKFLOW : `${STARTER_WORKFLOW}        with:\n${lines.join('')}`;
}

export const STARTER_POLICY = `# yaml-language-server: $schema=https://raw.githubusercontent.com/agentgate/action/v1/schema/agentgate.schema.json
version: 1
# servers:
#   github:
#     env: { GITHUB_PERSONAL_ACCESS_TOKEN: placeholder }   # enough to list tools
#   legacy:
#     skip: needs a browser login                          # the reason is shown in every report
fail-on: any
`;
