import { expect, test } from 'vitest'
import { isListQuestion } from './diversity.ts'

test.each([
  'which services run on the old host?',
  'Which error codes do we have?',
  'everything about the boat',
  'what do we know of the printer',
  'Welche Dienste laufen dort?',
  'alles über das Boot',
  '¿Cuáles son los servicios?',
  'todo sobre el barco',
  '我们有哪些服务',
])('%s asks for several things', (question) => expect(isListQuestion(question)).toBe(true))

test.each([
  'which car do we have now?',
  'where is the boat',
  'Wo steht das Boot?',
  '¿dónde está el barco?',
  '船在哪里',
])('%s asks for one thing', (question) => expect(isListQuestion(question)).toBe(false))
