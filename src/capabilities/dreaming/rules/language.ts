import { type CompiledFrame, compileFrame } from './frames.ts'
import type { LanguageTable } from './language-table.ts'
import { de } from './languages/de.ts'
import { en } from './languages/en.ts'
import { zh } from './languages/zh.ts'
import { compilePhrases, type PhraseIndex, splitList } from './phrases.ts'
import { type FrameIndex, indexFrames } from './select-frames.ts'
import { findSlot } from './slots.ts'

const phraseLists = [
  'firstPerson',
  'firstPossessive',
  'firstPlural',
  'articles',
  'adverbs',
  'changeWords',
  'stops',
  'softStops',
  'adjectives',
  'newAdjectives',
  'contrasts',
  'consequences',
  'asides',
  'closers',
  'openClosers',
  'houseLinks',
  'hedges',
  'degrees',
  'droppedSubject',
  'droppedOpening',
  'projectPronouns',
  'projectPossessives',
  'retractions',
  'openers',
  'material',
  'tasks',
  'hostile',
  'introductions',
  'describingWords',
  'timePrepositions',
  'requests',
  'restrictions',
  'relatives',
] as const
const wordLists = [
  'conjunctions',
  'houses',
  'nameConnectors',
  'emptyValues',
  'states',
  'jokeAllergens',
  'vagueNouns',
  'roles',
  'thingNouns',
  'softwareKeys',
  'communities',
  'relativePronouns',
  'notNames',
  'calendar',
  'projectKinds',
  'introducingKinds',
  'describedKinds',
  'timeNouns',
  'nounPrefixes',
  'wholes',
  'insidePrepositions',
  'ownVerbs',
  'undescribed',
] as const

const reportLists = [
  'speakers',
  'others',
  'changes',
  'ends',
  'jobEnds',
  'additions',
  'passives',
  'sources',
  'targets',
  'moves',
  'closings',
  'portMarkers',
  'heads',
  'imperatives',
  'nameMarkers',
] as const

/** A language table in the form that the rules read. */
export type CompiledLanguage = Readonly<Record<(typeof phraseLists)[number], PhraseIndex>> &
  Readonly<Record<(typeof wordLists)[number], ReadonlySet<string>>> & {
    readonly code: string
    readonly isUnspaced: boolean
    readonly isCompounding: boolean
    readonly genitive: string
    readonly guards: readonly (readonly [string, PhraseIndex])[]
    /** Keys by noun. */
    readonly personNouns: ReadonlyMap<string, string>
    readonly projectNouns: ReadonlyMap<string, string>
    readonly reports: Readonly<Record<(typeof reportLists)[number], PhraseIndex>> & {
      /** Phrases by the slot that they speak of. */
      readonly slots: readonly (readonly [string, PhraseIndex])[]
    }
    readonly frames: FrameIndex
  }

export const languages: readonly CompiledLanguage[] = [en, de, zh].map(compile)

const knownKeys: ReadonlySet<string> = new Set(
  languages.flatMap(({ personNouns, projectNouns }) => [
    ...personNouns.values(),
    ...projectNouns.values(),
  ]),
)

/** Whether a table or the list of slots has this key; the other keys are nouns of their sentences. */
export function isKnownKey(key: string): boolean {
  return knownKeys.has(key) || findSlot(key) !== undefined
}

function compile(table: LanguageTable): CompiledLanguage {
  return {
    ...collect(phraseLists, (name) => compilePhrases(table[name])),
    ...collect(wordLists, (name): ReadonlySet<string> => new Set(splitList(table[name]))),
    code: table.code,
    isUnspaced: table.isUnspaced,
    isCompounding: table.isCompounding,
    genitive: table.genitive,
    guards: Object.entries(table.guards).map(([kind, list]) => [kind, compilePhrases(list)]),
    personNouns: readNouns(table.personNouns),
    projectNouns: readNouns(table.projectNouns),
    reports: {
      ...collect(reportLists, (name) => compilePhrases(table.reports[name])),
      slots: readSlots(table.reports.slots),
    },
    frames: indexFrames(orderFrames(table.frames.map(compileFrame))),
  }
}

/** `phrase = slot` */
function readSlots(list: string): [string, PhraseIndex][] {
  const items = splitList(list).map((item) => item.split(' = '))
  const bySlot = Map.groupBy(items, ([, slot = '']) => slot)
  return [...bySlot].map(([slot, pairs]) => [
    slot,
    compilePhrases(pairs.map(([phrase]) => phrase).join(',')),
  ])
}

/** `noun` or `noun = key`. */
function readNouns(list: string): ReadonlyMap<string, string> {
  return new Map(
    splitList(list).map((item) => {
      const [noun = '', key] = item.split(' = ')
      return [noun, key ?? noun.replaceAll(/[\s-]/g, '_')]
    }),
  )
}

/**
 * Patterns with two values come first: others fit a part of their sentences. So do ends: what no
 * longer holds contains the words of what holds.
 */
function orderFrames(frames: readonly CompiledFrame[]): CompiledFrame[] {
  const split = frames.flatMap((frame) => {
    const [double, single] = [true, false].map((isDouble) =>
      frame.patterns.filter((pattern) => pattern.isDouble === isDouble),
    )
    return [
      { order: 0, frame: { ...frame, patterns: double ?? [] } },
      { order: frame.change === 'end' ? 1 : 2, frame: { ...frame, patterns: single ?? [] } },
    ]
  })
  const used = split.filter(({ frame }) => frame.patterns.length > 0)
  return used.toSorted((a, b) => a.order - b.order).map(({ frame }) => frame)
}

function collect<Name extends string, Value>(
  names: readonly Name[],
  read: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, Value>
}
