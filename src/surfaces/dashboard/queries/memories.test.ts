import { expect, test } from 'vitest'
import { mapLimited, toTags, toWords } from './memories.ts'

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

const wait = () => new Promise((resolve) => setTimeout(resolve))

test('maps in order, and at most the limit at the same time', async () => {
  const running = { now: 0, max: 0 }
  const double = async (value: number) => {
    running.now += 1
    running.max = Math.max(running.max, running.now)
    await wait()
    running.now -= 1
    return value * 2
  }
  expect(await mapLimited([1, 2, 3, 4, 5, 6, 7], 3, double)).toEqual([2, 4, 6, 8, 10, 12, 14])
  expect(running).toEqual({ now: 0, max: 3 })
  expect(await mapLimited([], 3, double)).toEqual([])
})

test('starts no item after a failure', async () => {
  const started: number[] = []
  const fail = async (value: number) => {
    started.push(value)
    await wait()
    throw new Error('refused')
  }
  await expect(mapLimited([1, 2, 3, 4], 2, fail)).rejects.toThrow('refused')
  await wait()
  expect(started).toEqual([1, 2])
})
