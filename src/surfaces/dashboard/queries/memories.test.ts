import { expect, test } from 'vitest'
import { toTags, toWords } from './memories.ts'

test('words to highlight are those with a meaning, each once', () => {
  expect(toWords('What does the insurance of the boat cost? The boat!')).toEqual([
    'insurance',
    'boat',
    'cost',
  ])
  expect(toWords('水温传感器 in Möwen-Bucht')).toEqual(['水温传感器', 'Möwen-Bucht'])
})

test('tags are a list without spaces, empty names and repetitions', () => {
  expect(toTags(' sea, winter,,sea ')).toEqual(['sea', 'winter'])
  expect(toTags(null)).toEqual([])
})
