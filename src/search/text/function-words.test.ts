import { expect, test } from 'vitest'
import { parseQuery } from './parse-query.ts'
import { stem } from './terms.ts'

test.each([
  ['how do we use the harbour crane', ['harbour', 'crane']],
  ['Wie benutzen wir den Kran im Hafen?', ['benutzen', 'kran', 'hafen']],
  ['¿qué grúa tenemos en el puerto?', ['grua', 'puerto']],
  ['quelle grue avons-nous dans le port', ['grue', 'port']],
  ['which hat did my son buy', ['hat', 'son', 'buy']],
  [
    '港口的起重机怎么样',
    ['港', '口', '的', '起', '重', '机', '港口', '口的', '的起', '起重', '重机'],
  ],
])('%s is searched by %j', (query, terms) => {
  expect(parseQuery(query, new Set()).terms).toEqual(terms.map(stem))
})

test('a query of function words keeps them', () => {
  expect(parseQuery('what is said', new Set()).terms).toEqual(['said'])
})
