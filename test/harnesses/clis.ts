/** One real command-line program, as data. */
export interface Cli {
  readonly id: string
  readonly package: string
  readonly version: string
  readonly program: string
  /** Settings that point it to the fake model, by path in the home folder. */
  readonly files: (modelUrl: string) => Readonly<Record<string, string>>
  readonly variables: (modelUrl: string) => Readonly<Record<string, string>>
  /** Sends one prompt, prints one answer and ends. */
  readonly print: (prompt: string) => readonly string[]
}

const dummyKey = 'dummy-key'

export const clis: readonly Cli[] = [
  {
    id: 'claude-code',
    program: 'claude',
    package: '@anthropic-ai/claude-code',
    version: '2.1.330',
    files: () => ({ '.claude.json': '{"hasCompletedOnboarding":true}' }),
    variables: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: dummyKey,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    print: (prompt) => ['-p', prompt, '--allowedTools', 'mcp__reverie'],
  },
  {
    id: 'codex',
    program: 'codex',
    package: '@openai/codex',
    version: '0.169.0',
    files: (url) => ({
      '.codex/config.toml': [
        'model = "gpt-5"',
        'model_provider = "fake"',
        '[model_providers.fake]',
        'name = "fake"',
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        'env_key = "FAKE_KEY"',
        '',
      ].join('\n'),
    }),
    variables: () => ({ FAKE_KEY: dummyKey }),
    print: (prompt) => [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      prompt,
    ],
  },
  {
    id: 'gemini',
    program: 'gemini',
    package: '@google/gemini-cli',
    version: '0.61.0',
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: 'gemini-api-key' } },
      }),
    }),
    variables: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: dummyKey }),
    print: (prompt) => ['-p', prompt, '-m', 'gemini-2.5-flash', '--skip-trust', '--yolo'],
  },
  {
    id: 'opencode',
    program: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    files: (url) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model: 'fake/model',
        small_model: 'fake/model',
        provider: {
          fake: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: dummyKey },
            models: { model: {} },
          },
        },
      }),
    }),
    variables: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    }),
    // It quotes an argument that contains spaces.
    print: (prompt) => ['run', ...prompt.split(' ')],
  },
]
