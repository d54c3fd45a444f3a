import { format, type SecretFormat } from './formats.ts'
import {
  callee,
  codeWord,
  exampleValue,
  hasSecretCase,
  longWord,
  nameParts,
  noWord,
  optionWords,
  plainWords,
  reference,
  secretNames,
  sentence,
  strictNames,
  typeName,
  typeValue,
  wholeNames,
} from './secret-names.ts'

const quoteMark = '["\'`]'
const space = '[ \\t]'
const lineBreaks = `(?:${space}{0,8}\\r?\\n){1,3}${space}{0,40}`
/** At least six characters, with both letters and digits. */
const lettersAndDigits = '(?=[a-z_-]{0,40}[0-9])(?=[^a-z\\s]{0,40}[a-z])(?=[^\\s"\'`,;:=]{6})'

/**
 * A value on its own line that is not a name of another value, a list or a comment. A value with
 * digits may follow a list mark and precede other words.
 */
const nextLine = `${lineBreaks}(?:(?=${quoteMark}(?!\`\`)|(?![-#*/}>|]|[a-z_][a-z0-9_.-]{0,100}[:=])[^\\s"'\`,;]{4,512}(?<!:)${space}{0,8}(?:$|[\\r\\n]))|(?:[-*>]${space}{1,4}|\`\`\`[a-z]{0,20}\\r?\\n)?(?=${lettersAndDigits}[^\\s"'\`,;:=/]{6,200}(?:$|[\\s.,;])(?!${space}{0,4}[:=])))`
const separator = `(?::=?|={2,3}(?=${space}{0,4}${quoteMark}[^"'\`\\n]{4})|=>?|->|%3[ad])`
/** `NAME=`, `"name": `, `config['name'] =` and `**Name:** `. */
const assignedTo = `${separator}\\*{0,2}${space}{0,4}(?:${nextLine}|(?=\\\\{0,3}${quoteMark}|[>|]|[^\\s"'\`,;]{4}))`
const nameEnd = `(?:\\\\{0,3}${quoteMark}\\]?|\\*{1,2})?${space}{0,4}`
const assigned = `${nameEnd}${assignedTo}`
/** `--name value`. */
const option = `(?=[ \\t=])(?<=(?:^|[\\s"'\`(])-{1,2}[a-z][a-z0-9_-]{0,60})(?:=|${space}{1,4})(?:\\\\\\r?\\n${space}{0,40})?(?![-|&>#)(\\\\=:.]|(?:${plainWords}|${optionWords})${noWord})`
const link = `(?:${space}{1,3}(?:for|of|on|to|at|in)(?:${space}{1,3}[a-z0-9_.@/-]{1,40}){1,4}?)?${space}{1,3}(?:is|was)(?:${space}{1,3}(?:now|still|actually|currently|just|(?:set|changed|reset|updated)${space}{1,3}to))?:?(?:${space}{1,3}|${lineBreaks})(?!(?:${plainWords})${noWord}|[-(*.\\u2026\\u2022\\u2013\\u2014])`
const ownName = `(?=${space})(?<=(?:pass(?:word|wd|phrase)|\\b(?:my|our)${space}(?:[a-z0-9_-]{1,20}${space}){0,2}(?:${secretNames}))s?)`
/**
 * `my password for the server is value`. Names other than passwords need a value that looks secret.
 */
const inProse = `(?:${link}(?=${quoteMark}|[^\\s"'\`,;]{0,200}[0-9])|${ownName}${link}(?=[^\\s"'\`,;]{3}))`

interface Value {
  readonly names: string
  /** A value of one token. */
  readonly token: string
  /** A quoted value. Looks ahead. */
  readonly quoted: string
  readonly others?: string
}

/** A value assigned to the name of a secret in code, settings, commands or prose. */
function assignment(value: Value): SecretFormat {
  const name = `(?<name>(?:${value.names})s?(?:[_-]?[0-9]{1,3})?)`
  const prefix = `(?<prefix>${name}(?:${assigned}|${option}|${inProse}))`
  return { ...assignmentFormat([''], valuePattern(prefix, value)), words: nameParts }
}

/** Searches the separator first, because the names are many and separators are few. */
function wholeAssignment(value: Value): SecretFormat {
  const name = `(?<=(?<name>${wholeNames})s?[0-9]{0,3}${nameEnd})`
  const pattern = valuePattern(`(?=[:=]|->|%3)${name}(?<prefix>${assignedTo})`, value)
  return assignmentFormat([':', '=', '->', '%3'], pattern)
}

function assignmentFormat(hints: readonly string[], pattern: RegExp): SecretFormat {
  return { ...format('assignment', hints, pattern), accepts: hasSecretCase }
}

/** The end of a call such as `input("Password: ")`. */
const callEnd = '\\)(?:$|[\\s,;.:)])'

function valuePattern(prefix: string, { token, quoted, others = '' }: Value): RegExp {
  const open = `(?<quote>\\\\{0,3}(?:"""|'''|${quoteMark}))`
  const code = `[$<{]|\\[REDACTED|${callEnd}|(?:${codeWord}|${callee}[^\\n"'\`]{0,100}\\))\\k<quote>`
  const rest = '(?:(?!\\k<quote>)(?:\\\\[^\\n]|[^\\\\\\n])){4,512}\\k<quote>'
  const inQuotes = `${open}(?!${code})${quoted}${rest}`
  return new RegExp(`${prefix}(?:${inQuotes}|${quoteMark}?(?!${callEnd})${token}${others})`, 'gi')
}

const quotedLetter = '(?:\\\\.|[^\\\\\\n"\'`])'
const tokenLetter = '[^\\s"\'`,;]'
/** The value of `NAME=value` and `--name value` is a credential even without digits. */
const isArgument = `(?<==|(?:^|[\\s"'\`(])-{1,2}[a-z][a-z0-9_-]{0,60}${space}{1,4})`
const afterSeparator = `(?<=(?:[:=>d]\\*{0,2}|-[a-z][a-z0-9_-]{0,60})\\s{0,40}\\\\{0,3}${quoteMark}{1,3})`
/** `NAME="several words"` and `--name "several words"`. */
const afterArgument = `(?<=(?:=|[\\s"'\`(]-{1,2}[a-z][a-z0-9_-]{0,60}${space}{1,4})\\\\{0,3}${quoteMark}{1,3})`
const likely: Value = {
  names: secretNames,
  // Letters and digits, a single word after a name and a separator, or the words of an argument
  quoted: `(?:(?=${quotedLetter}{0,200}[0-9])(?=${quotedLetter}{0,200}[A-Za-z])(?=${quotedLetter}{8})|${afterSeparator}(?=${tokenLetter}{8,512}\\k<quote>)(?!${exampleValue})|${afterArgument}(?=${quotedLetter}{8})(?!${exampleValue}))`,
  token: `(?:(?=${tokenLetter}{0,200}[0-9])(?=${tokenLetter}{0,200}[A-Za-z])|${isArgument}(?!${exampleValue})|${longWord})(?![$<{\\[])(?!${reference})${tokenLetter}{8,512}`,
}
/** At least eight characters that look like a credential. */
const likelyAssignment = assignment(likely)
export const likelyAssignments = [likelyAssignment, wholeAssignment(likely)]

/** A YAML block: all lines with the indentation of the first one. */
const block = `[>|][-+0-9]{0,2}${space}{0,8}\\r?\\n(?<indent>${space}{1,40})[^\\s][^\\n]*(?:\\n{1,3}\\k<indent>[^\\n]*)*`

const any: Value = {
  names: strictNames,
  quoted: '',
  token: `(?![$<{[=\\\\]|${codeWord}(?![A-Za-z0-9_])|${callee}|${typeValue}|${reference}|${sentence}|[>|](?:[-+0-9]|\\s))${typeName}[^\\s"'\`,;]{1,512}`,
  others: `|${block}`,
}
/** Contract 1, 11: assignments of keys, secrets, tokens and passwords, with any value. */
export const anyAssignments = [likelyAssignment, assignment(any), wholeAssignment(any)]
