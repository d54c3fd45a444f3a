import type { Change } from './statement.ts'

/** What the words of a value must look like. */
export type ValueKind =
  | 'place'
  | 'organization'
  | 'company'
  | 'tool'
  | 'technology'
  | 'language'
  | 'person'
  | 'phrase'
  | 'allergen'
  | 'role'
  | 'property'
  | 'date'
  | 'number'
  | 'software'
  | 'decision'
  | 'alias'
  /** The speaker; a pattern of this kind has no `<V>`. */
  | 'self'

/**
 * A kind of sentence. Patterns are words in lower case, separated by spaces: `a|b` one of them,
 * `[a]` optional, `a_b` several words, `~` any adverbs, `!` adverbs of a change,
 * `$` a punctuation mark or the end,
 * `^` any adjectives, `<S>` a person, `<SS>` its possessive form,
 * `<ME>` the speaker at the beginning of a sentence, without a word,
 * `<IT>` the only project that this or the sentence before has named, without a word,
 * `<P>` a project, `<PS>` its possessive form, `<WE>` the speaker's group, `<N>` a noun,
 * `<K>` a noun of `projectNouns`, `<ROLE>` an
 * occupation, `<V>` the value, `<F>` the value before it, `<SKIP>` up to three words.
 */
export interface Frame {
  readonly rule: string
  /**
   * Key of `slots`; `noun`: the slot of `<N>`; `class`: the slot of the kind of software that `<V>`
   * is, or else `fallback`; undefined: the slot that holds `<F>` or `<V>`.
   */
  readonly slot: string | undefined
  readonly value: ValueKind
  /** Slot of a change whose old value no slot holds. */
  readonly fallback?: string
  readonly change?: Change
  /** Describes an event, so that a time in the past is no objection. */
  readonly isEvent?: boolean
  /** One of these phrases must occur before the clause, or in the previous sentence. */
  readonly after?: string
  /** None of these phrases may occur in this or the previous sentence. */
  readonly unless?: string
  /** `<F>` must be a value: `I left Osprey`, not `I left the party`. */
  readonly needsFrom?: boolean
  /** A full name that no text has mentioned yet may be the subject. */
  readonly takesStranger?: boolean
  readonly patterns: readonly string[]
}

/** Phrases that stop a statement, by the reason that is counted. */
interface Guards {
  readonly question: string
  readonly hypothesis: string
  readonly plan: string
  readonly past: string
  /** A past that an event may have. */
  readonly ago: string
  readonly reported: string
  readonly fiction: string
  readonly joke: string
  readonly denial: string
  readonly negation: string
  readonly approximate: string
}

/**
 * Words of changes that no frame reads. A report names the subject and a value that it has or had;
 * the ledger says which slot changes. Without such a value it makes a claim only of a port, or of two
 * well-known names of one class.
 */
export interface ReportTable {
  /** The speaker, in any case and number. */
  readonly speakers: string
  /** Others, of whom no report of the speaker is. */
  readonly others: string
  /** What says that something has changed. */
  readonly changes: string
  /** What says that a value no longer holds; `jobEnds` only of an employer. */
  readonly ends: string
  readonly jobEnds: string
  /** What says that the values before stay, or that something else moves. */
  readonly additions: string
  /** Words of the past that tell of a change as well: `Kafka was dropped`. */
  readonly passives: string
  /** What stands in front of the value before. */
  readonly sources: string
  /** What stands in front of a new value: `back to`. */
  readonly targets: string
  /** What moves all of a project to the name behind it: `moved it to`. */
  readonly moves: string
  /** What stands in front of a port. */
  readonly portMarkers: string
  /** What may stand behind a name without making it a part of something else: `the Trello account`. */
  readonly heads: string
  /** What ends a letter and goes on with nothing. */
  readonly closings: string
  /** First words of a request. */
  readonly imperatives: string
  /** `phrase = slot`: which slot a report is about. */
  readonly slots: string
  /** Where nouns have capitals: what stands in front of a name. */
  readonly nameMarkers: string
}

/** The words of one language. Phrases are separated by commas, words by spaces. */
export interface LanguageTable {
  readonly code: string
  /** Words are not separated by spaces. */
  readonly isUnspaced: boolean
  /** Nouns are written with capitals, and several as one word. */
  readonly isCompounding: boolean
  /** Lower-case words that may stand in names. */
  readonly firstPerson: string
  readonly firstPossessive: string
  readonly firstPlural: string
  /** Suffix of a possessive name, besides `'s`. */
  readonly genitive: string
  readonly articles: string
  readonly projectKinds: string
  /** Kinds that introduce a project that no text has named yet. */
  readonly introducingKinds: string
  /** Words in front of a time, and the nouns that it ends with: `over the summer`. */
  readonly timePrepositions: string
  readonly timeNouns: string
  /** Words before the description of a part of a system, and the kinds of such parts. */
  readonly describingWords: string
  readonly describedKinds: string
  /** Words that describe something else: `bus service`. */
  readonly undescribed: string
  readonly adverbs: string
  /** Adverbs and tails that say that a value is new. */
  readonly changeWords: string
  /** Adjectives before a noun that has one main value. */
  readonly adjectives: string
  /** Adjectives that say that the value is new. */
  readonly newAdjectives: string
  /** Where every value ends. */
  readonly stops: string
  /** Where names end, but phrases do not. */
  readonly softStops: string
  readonly calendar: string
  readonly conjunctions: string
  /** Lower-case words inside of names. */
  readonly nameConnectors: string
  /** What follows a value without changing it, although it is a negation. */
  readonly contrasts: string
  readonly guards: Guards
  /** Beginnings of a clause that says why a statement matters, what follows from it, or when. */
  readonly consequences: string
  /** The same, only directly behind a mark: `shout if it breaks`. */
  readonly asides: string
  /** Remarks that end a sentence without a mark, and those that any words may follow. */
  readonly closers: string
  readonly openClosers: string
  /** First words of the names of houses, and what may connect a place to them: `Haus am See`. */
  readonly houses: string
  readonly houseLinks: string
  /** What begins like a consequence but weakens the statement. */
  readonly hedges: string
  /** Words of degree in front of the name of a language. */
  readonly degrees: string
  /** Verbs that imply the first person where a clause begins with them. */
  readonly droppedSubject: string
  /** Verbs that do so only where a sentence begins with them. */
  readonly droppedOpening: string
  /** Words that stand for the only project that this or the sentence before has named. */
  readonly projectPronouns: string
  readonly projectPossessives: string
  /** A following sentence that takes the statement back. */
  readonly retractions: string
  /** A sentence that makes the next ones a story, a quotation or a hypothesis. */
  readonly openers: string
  /** Words that show that the rest of a turn is material to work on. */
  readonly material: string
  /** Beginnings of a turn that gives material to work on. */
  readonly tasks: string
  readonly hostile: string
  /** Beginnings of a clause that asks for something; the clauses before it may be statements. */
  readonly requests: string
  /** What limits an end to a place or a purpose: `on my phone`. */
  readonly restrictions: string
  /** Nouns of all that somebody uses: `from my stack` limits no end. */
  readonly wholes: string
  /** What stands before a value of which only a part ends: `three cards in Trello`. */
  readonly insidePrepositions: string
  /** Verbs that speak of the speaker only; of others, they report what somebody says. */
  readonly ownVerbs: string
  /** Introductions that stand without a comma or a colon. */
  readonly introductions: string
  /** First words that make no value. */
  readonly emptyValues: string
  /** What people are allergic to in jokes only. */
  readonly jokeAllergens: string
  /** Values that are states, not names. */
  readonly states: string
  /** Nouns that a person has one main of: `noun` or `noun = key`. */
  readonly personNouns: string
  /** What stands before a noun without changing what it names: `Haupteditor`. */
  readonly nounPrefixes: string
  /** Other nouns of projects that have a key of their own. */
  readonly projectNouns: string
  /** Keys of which the value may be a name in lower case. */
  readonly softwareKeys: string
  /** Nouns that say nothing about a project. */
  readonly vagueNouns: string
  /** Nouns of occupations. */
  readonly roles: string
  /** What people join without working there. */
  readonly communities: string
  readonly relativePronouns: string
  /** Last words of a lower-case thing that a project depends on. */
  readonly thingNouns: string
  /** Words that are no part of a name that no text has mentioned yet. */
  readonly notNames: string
  /** Words that make another person of `I`. */
  readonly relatives: string
  readonly reports: ReportTable
  readonly frames: readonly Frame[]
}
