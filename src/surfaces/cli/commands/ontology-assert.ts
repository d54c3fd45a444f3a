import { command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import {
  type EvidenceOptions,
  entitySubject,
  evidenceOptions,
  readEvidence,
  showChange,
} from '../graph-changes.ts'
import { nameMissing } from '../ids.ts'
import type { Row } from '../render.ts'

interface AssertOptions extends EvidenceOptions {
  readonly predicate?: string
  readonly speaker?: string
  readonly assertedAt?: string
  readonly confidence?: number
}

const predicates = [
  'claims',
  'believes',
  'observed',
  'decided',
  'prefers',
  'denies',
  'questions',
] as const

export const assertText = command<AssertOptions>({
  usage: 'ontology assert <name> <text>',
  summary: 'Store what somebody says about an entity, with its source; the graph does not change',
  options: [
    option('--predicate <predicate>', 'how it is said; default claims', { choices: predicates }),
    option('--speaker <name>', 'who says it'),
    ...evidenceOptions,
    option('--asserted-at <time>', 'when it was said, as an ISO time; default now'),
    option('--confidence <n>', 'confidence, 0 to 1; default 0.7', { type: 'share' }),
  ],
  examples: [
    'reverie ontology assert Atlas "Atlas is slow" --predicate observed --speaker Maud --quote "Maud: it is slow"',
    'reverie ontology assert Atlas "Atlas moves to Rust" --predicate decided --memory 0195f3a0',
  ],
  run: async (call) => {
    const { args, options, output, connect } = call
    const [name = '', content] = args
    const { predicate, speaker, assertedAt: asserted_at, confidence } = options
    const evidence = await readEvidence(call)
    if (!evidence)
      throw new CliError(
        'usage',
        'no_source',
        'an assertion needs a source',
        'Pass --memory or --quote.',
      )
    const body = { entity: name, content, predicate, speaker, asserted_at, confidence, evidence }
    const sending = connect().then((client) =>
      client.call('POST /api/ontology/assertions', { body }),
    )
    const reply = Object(await nameMissing(name, sending, entitySubject)) as Row
    showChange(output, reply, `Stored: ${reply['entity']}, ${reply['predicate']}`)
  },
})
