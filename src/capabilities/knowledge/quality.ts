import { toEntityType } from './entity.ts'

type NameFault =
  | 'too_short'
  | 'numeric_only'
  | 'generic_or_scaffolding_name'
  | 'metadata_role'
  | 'discourse_fragment'
  | 'role_prefixed_scaffolding'
  | 'section_heading'
  | 'non_concrete_entity_type'
  | 'unknown_entity_type'
  | 'event_without_time_or_event_signal'

export interface Quality {
  readonly ok: boolean
  readonly reason?: NameFault
}

const minWidth = 4
const wide = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u

const words = (text: string) => new Set(text.split(/\s+/))
const functionWords = words(`
  a an the this that these those here there where when what which who whom whose why how
  i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her
  hers herself it its itself they them their theirs themselves one ones
  am is are was were be been being do does did doing done have has had having can could may might
  must shall should will would ought
  and or but nor so yet if then else than because since while until unless although though whether
  of in on at by for from to into onto with without within about above below over under between
  among across through during before after against along around behind beyond near off out
  up down via per as not no yes all any each every some none both either neither other another such
  only own same too very just also again more most much many few less least now still ever never
  always often maybe perhaps let lets
  read write want understand make made get got give given take taken say said see seen know known
  think thought need needs use used using find found look tell ask work works`)
const scaffoldPhrases = new Set(
  `summary,intent,sender,recipient,author,someone,somebody,something,anyone,anybody,anything,everyone,
everybody,everything,nothing,current work,pending tasks,primary request,next steps,next step,
key points,overview,context,background,conclusion,introduction,notes,todo,todos,details,description,
example,examples,question,answer,message,messages,conversation,session,unknown,undefined,null,n/a,
none of the above,other things,and so on`
    .replaceAll('\n', '')
    .split(','),
)
const concreteTypes = words(
  'person organization project product system tool artifact document source place event',
)
const abstractTypes = words(`concept task skill agent policy action workflow object_type interface
  observation claim_slot claim_value chunk_group`)
const untyped = words('unknown extracted')

const months =
  'january|february|march|april|may|june|july|august|september|october|november|december'
const times = `\\d{4}-\\d{2}-\\d{2}|\\d{1,2}:\\d{2}|${months}|today|yesterday|last (?:night|week|month|year)`
const happenings =
  'announce\\p{L}*|created|decided|deployed|digest|installed|launched|meeting|merged|published|released|started|stopped|updated'
const eventSignal = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${times}|${happenings})(?![\\p{L}\\p{N}])`,
  'u',
)

/** The first fault of a name wins. Without a type, the type is not examined. */
const nameRules: readonly (readonly [NameFault, (name: string) => boolean])[] = [
  ['too_short', (name) => widthOf(name) < minWidth],
  ['numeric_only', (name) => /^\p{N}+$/u.test(name)],
  ['generic_or_scaffolding_name', (name) => functionWords.has(name) || scaffoldPhrases.has(name)],
  ['metadata_role', (name) => ['assistant', 'user', 'system'].includes(name)],
  ['discourse_fragment', (name) => ['despite', 'however', 'once'].includes(name)],
  [
    'role_prefixed_scaffolding',
    (name) => /^(?:user|assistant|system|sender|recipient|author)[: -]/.test(name),
  ],
  ['section_heading', (name) => /^(?:current|pending|primary) /.test(name)],
]
const typeRules: readonly (readonly [NameFault, (name: string, type: string) => boolean])[] = [
  ['non_concrete_entity_type', (_, type) => abstractTypes.has(type)],
  ['unknown_entity_type', (_, type) => !concreteTypes.has(type)],
  [
    'event_without_time_or_event_signal',
    (name, type) => type === 'event' && !eventSignal.test(name),
  ],
]

/** Whether a name, and its type where one is given, can be those of an entity. */
export function classifyName(input: string, inputType?: string): Quality {
  const name = toPlainName(input)
  const type = toEntityType(inputType ?? '')
  const [reason] =
    nameRules.find(([, applies]) => applies(name)) ??
    (type === '' || untyped.has(type)
      ? []
      : typeRules.find(([, applies]) => applies(name, type))) ??
    []
  return reason ? { ok: false, reason } : { ok: true }
}

function toPlainName(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/[‘’‚‛]/g, "'")
    .replaceAll(/[“”„‟]/g, '"')
    .trim()
    .replace(/^["'`]+/, '')
    .replace(/(?<!["'`])["'`]+$/, '')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Ideographs and syllables count twice, because two of them make a name. */
function widthOf(name: string): number {
  return [...name].reduce((width, character) => width + (wide.test(character) ? 2 : 1), 0)
}

/** Words that name nothing. */
export function isFunctionWord(word: string): boolean {
  return functionWords.has(word)
}
