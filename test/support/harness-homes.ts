/** Home folders with existing settings; for each harness, paths relative to the home folder. */
export const homes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'claude-code': {
    '.claude/settings.json': `{
    // mine
    "model": "opus", /* mine */
    "hooks": {
        "SessionStart": [
            { "hooks": [ { "type": "command", "command": "mine.sh hook session-start -H claude-code" } ] }
        ],
        "Notification": []
    }, "env": { "A": "1" } // the last
}`,
    '.claude.json': '{"numStartups":3,"mcpServers":{"other":{"command":"other"}},"tips":{}}',
  },
  codex: {
    '.codex/config.toml':
      '# mine\r\nmodel = "x" # mine\r\n\r\n[mcp_servers.other]\r\ncommand = "o"',
    '.codex/hooks.json': '{\n\t"hooks": {\n\t\t"Stop": [{"hooks": []}]\n\t}\n}\n',
  },
  gemini: {
    '.gemini/settings.json': '\ufeff{\n  "theme": "dark",\n  "hooks": { "Other": [] }\n}\n',
  },
  opencode: {
    '.config/opencode/opencode.jsonc':
      '{\n  "plugin": ["mine"], // mine\n  "mcp": {\n    "other": { "type": "remote", "url": "http://other/" }, // mine\n  },\n}\n',
    '.config/opencode/plugins/mine.js': 'export const Mine = 1\n',
  },
  cursor: {
    '.cursor/hooks.json':
      '{ "version": 1, "hooks": { "sessionStart": [{ "command": "mine.sh" }] } }\n',
    '.cursor/mcp.json': '{}',
  },
  generic: {},
}
