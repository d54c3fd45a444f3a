import type { Harness } from '../task.ts'

interface PromptCall {
  readonly prompt: string
  readonly model: string | null
  /** Whether the harness may act without asking. */
  readonly skipPermissions: boolean
}

/** How a harness runs one prompt. */
export interface HarnessCommand {
  /** Looked up on PATH and in the folders of installers. */
  readonly program: string
  readonly toArguments: (call: PromptCall) => readonly string[]
}

/** The commands of the harnesses. The prompt is one argument. */
export const harnessCommands: Readonly<Partial<Record<Harness, HarnessCommand>>> = {
  'claude-code': {
    program: 'claude',
    toArguments: ({ model, prompt, skipPermissions }) => [
      ...(skipPermissions ? ['--dangerously-skip-permissions'] : []),
      ...option('--model', model),
      '-p',
      prompt,
    ],
  },
  codex: {
    program: 'codex',
    toArguments: ({ model, prompt }) => [
      'exec',
      '--skip-git-repo-check',
      '--json',
      ...option('--model', model),
      prompt,
    ],
  },
  opencode: {
    program: 'opencode',
    toArguments: ({ prompt }) => ['run', '--format', 'json', prompt],
  },
  kimi: {
    program: 'kimi',
    toArguments: ({ model, prompt }) => [
      '-p',
      prompt,
      '--output-format',
      'stream-json',
      ...option('-m', model),
    ],
  },
}

function option(name: string, value: string | null): readonly string[] {
  return value === null ? [] : [name, value]
}
