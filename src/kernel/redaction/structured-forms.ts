import { format, type SecretFormat } from './formats.ts'
import { exampleValue, nameParts, secretNames } from './secret-names.ts'

/** Names in elements, attributes, tables and calls, where they stand alone. */
const names = `[\\w:-]{0,60}?(?:${secretNames}|pwd|passcode|credential)`
const space = '[ \\t]'
const quote = '["\']'
const valueEnd = `(?=$|[\\s"'\`<|)])`

interface Form {
  /** The pattern runs only if the text contains one. */
  readonly hints: readonly string[]
  readonly before: string
  readonly value: string
  readonly after: string
}

const forms: readonly Form[] = [
  // <password>value</password>
  {
    hints: ['</'],
    before: `<${names}(?:\\s[^<>]{0,200})?>\\s{0,20}`,
    value: '[^<>\\s](?:[^<>]{0,511}[^<>\\s])?',
    after: '(?=\\s{0,20}</)',
  },
  // <add key="password" value="value"/> and { "name": "DB_PASSWORD", "value": "value" }
  {
    hints: ['value', 'Value', 'VALUE'],
    before: `(?<![a-z0-9])(?:key|name|id)${quote}?${space}{0,4}[=:]${space}{0,4}${quote}?${names}${quote}?,?\\s{1,40}${quote}?value${quote}?${space}{0,4}[=:]${space}{0,4}${quote}?`,
    value: '[^\\s"\'<>]{1,512}',
    after: '',
  },
  // | password | value |, but no row above a separator
  {
    hints: ['|'],
    before: `\\|${space}{0,40}[\`*]{0,3}${names}[\`*]{0,3}${space}{0,40}\\|${space}{0,40}[\`*]{0,3}`,
    value: '[^\\s|`]{1,512}?',
    after: `(?=[\`*]{0,3}${space}{0,40}\\|)(?![^\\n]{0,400}\\n${space}{0,8}\\|?${space}{0,40}:?-{2})`,
  },
  // The format .netrc of ftp(1) and curl
  {
    hints: ['login ', 'login\n'],
    before:
      '(?<!\\w)(?:machine\\s{1,8}\\S{1,200}|default)\\s{1,8}login\\s{1,8}\\S{1,200}\\s{1,8}password\\s{1,8}',
    value: '\\S{1,512}',
    after: '',
  },
  // CREATE ROLE ada LOGIN PASSWORD 'value'
  {
    hints: ['password ', 'PASSWORD ', 'dentified by ', 'DENTIFIED BY '],
    before: '(?:(?:login|encrypted|with) password|identified by) {1,3}["\']',
    value: '[^\\n"\']{1,200}',
    after: '(?=["\'])',
  },
  // setPassword("value")
  {
    hints: ['("', "('"],
    before: `(?:(?<![a-z])(?:set|with)_?|\\.)${names}\\(${quote}`,
    value: '[^\\n"\']{1,512}',
    after: `(?=${quote}\\))`,
  },
]

/** Credentials after a name in markup, tables, calls and `.netrc` files. */
export function structuredForms(minLength: number): readonly SecretFormat[] {
  return forms.map(({ hints, before, value, after }) => {
    const credential = `(?!\\[REDACTED\\]|${exampleValue})(?=[^\\n]{${minLength}})(?=${value}${valueEnd})${value}${after}`
    const pattern = new RegExp(`(?<prefix>${before})${credential}`, 'gi')
    return format('assignment', hints, pattern)
  })
}

const looksRandom = '(?=[a-z!@#$%^&*_+-]{0,60}[0-9])(?=[^a-z\\s]{0,60}[a-z])'
const token = '[a-z0-9!@#$%^&*_+~-]'
const tokenEnd = '(?=$|[\\s,;:)"\'!?]|\\.(?:$|\\s))'

/** `password hunter2` and `api key <random>`: a name, a space and a value. */
export const spacedValues: readonly SecretFormat[] = [
  [
    '(?:pass(?:word|wd|phrase)|pwd) {1,3}',
    `(?:(?<quote>["'])(?=[^\\s"']{0,60}[0-9])[^\\s"']{6,200}\\k<quote>|${looksRandom}(?!${exampleValue}|v?[0-9])${token}{6,200}${tokenEnd})`,
  ],
  [
    `(?:${secretNames}) {1,3}`,
    `${looksRandom}(?!${exampleValue})[a-z0-9_+/=.-]{16,512}${tokenEnd}`,
  ],
].map(([name, value]) => {
  const pattern = new RegExp(`(?<prefix>${name})(?!\\[REDACTED)${value}`, 'gi')
  return { ...format('assignment', [''], pattern), words: nameParts }
})
