import { expect, test } from 'vitest'
import { inferType } from './infer-type.ts'

const examples: Readonly<Record<string, readonly string[]>> = {
  preference: [
    'I prefer tabs over spaces',
    'We really want short answers.',
    'The user likes dark mode',
    'Dora hates cold tea',
    'Prefer small commits',
    'I don’t like long mails',
    'Ich bevorzuge Tabs.',
    'Wir möchten kurze Antworten',
    'Kaffee mag ich lieber schwarz',
    'Prefiero respuestas cortas',
    'Nos gusta el tema oscuro',
    '我们更喜欢深色主题',
    '用户不喜欢长邮件',
  ],
  decision: [
    'We decided on PostgreSQL',
    'The API will use JSON',
    'Wir haben beschlossen, zu mieten',
    'Decidimos usar SQLite',
    '我们决定用新的打印机',
  ],
  learning: [
    'TIL that bees sleep',
    'Discovered a shortcut',
    'Ich habe gelernt, wie man sägt',
    'Aprendimos a soldar',
    '今天学到了一个技巧',
  ],
  issue: [
    'Two bugs in the parser',
    'The gate is broken',
    'Der Ofen ist kaputt',
    'La puerta está rota',
    '打印机坏了',
  ],
  rule: [
    'Never deploy on Friday',
    'In the cellar: always switch off the light',
    'Do not feed the goat',
    'All commits must be signed',
    'You must not share the key',
    'Niemals am Freitag ausliefern',
    'Commits müssen signiert sein',
    'Nunca borres la tabla',
    'Las claves deben rotar cada mes',
    '不要在周五发布',
    '提交必须签名',
  ],
  fact: [
    'Wanted posters hang in the unwanted corner',
    'Nevertheless the train came',
    'The shed has a mustard door',
    'We debug until noon',
    'The box was sealed as wanted',
    'The video has forty likes',
    'It is something that I never saw',
    'It must have been Tuesday',
    'Never mind the weather',
    'The vote is undecided',
    'The letter was reissued',
    'Der Wille zählt',
    'Ich war nie in Rom',
    'Ich muss heute zum Arzt',
    'La siempreviva florece en mayo',
    'Creo que nunca lo vi',
    '他必须早起',
    '打印机在四号房间',
  ],
}

test.each(
  Object.entries(examples).flatMap(([type, texts]) => texts.map((text) => [text, type] as const)),
)('%s: %s', (text, type) => {
  expect(inferType(text)).toBe(type)
})

test('reads a long text in linear time', { timeout: 2000 }, () => {
  const words = 'word '.repeat(100_000)
  for (const text of [words, ', '.repeat(200_000), ' '.repeat(500_000), '必'.repeat(200_000)])
    expect(inferType(text)).toBe('fact')
})
