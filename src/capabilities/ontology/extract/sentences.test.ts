import { expect, test } from 'vitest'
import { readFencedJson } from './fenced-json.ts'
import { divideText } from './sentences.ts'

const json = '{"entities":[{"name":"Nimbus Store"}]}'

test.each([
  ['lines', `User: See this.\n\`\`\`json\n${json}\n\`\`\`\nIt is ready.`],
  ['one line of a transcript', `User: See this. \`\`\`json ${json} \`\`\` It is ready.`],
  ['a line of its own', `User: See this.\n\`\`\`json ${json}\`\`\`\nIt is ready.`],
])('a fenced block in %s is read apart from the prose', (_, text) => {
  const { sentences, blocks } = divideText(text)

  expect(sentences).toEqual(['See this.', 'It is ready.'])
  expect(blocks.every((block) => text.includes(block))).toBe(true)
  expect(readFencedJson(blocks).proposals.map(({ fields }) => fields)).toEqual([
    { operation: 'create_entity', payload: { name: 'Nimbus Store' } },
  ])
})

test('the rest of a line behind an open fence is a block', () => {
  const text = 'First ```a``` then ```Heron Gateway is slow.'
  expect(divideText(text).blocks).toEqual(['a', 'Heron Gateway is slow.'])
})
