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

export const STARTER_POLICY = `# yaml-language-server: $schema=https://raw.githubusercontent.com/agentgate/action/v1/schema/agentgate.schema.json
version: 1
# servers:
#   github:
#     env: { GITHUB_PERSONAL_ACCESS_TOKEN: placeholder }   # enough to list tools
#   legacy:
#     skip: needs a browser login                          # the reason is shown in every report
fail-on: any
`;
