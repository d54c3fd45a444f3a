import { describe, expect, test } from 'vitest'
import { classify } from './classify.ts'
import { decideFor, inputFor } from './decision.fixture.ts'
import type { RouteRequest } from './request.ts'

describe('the task class of a request', () => {
  const section = {
    taskClasses: {
      chat: { reasoning: 'low', keywords: ['weather'] },
      art: { keywords: ['art', 'c#'] },
      hard_coding: { reasoning: 'low' },
    },
    workloads: { memoryExtraction: { taskClass: 'chat' } },
  }
  test.each<[string, Partial<RouteRequest>, object]>([
    [
      'is the one it names',
      { taskClass: 'art' },
      { taskClass: 'art', source: 'request', reasoning: 'medium' },
    ],
    [
      'is not one that the settings lack',
      { taskClass: 'none' },
      { taskClass: 'interactive', source: 'default' },
    ],
    [
      'is that of its workload',
      { operation: 'session_synthesis' },
      { taskClass: 'chat', source: 'workload' },
    ],
    [
      'follows a keyword',
      { promptPreview: 'The Weather, please' },
      { taskClass: 'chat', source: 'classifier', signals: ['keyword:weather'], reasoning: 'low' },
    ],
    [
      'follows a keyword with signs',
      { promptPreview: 'learn C#!' },
      { taskClass: 'art', signals: ['keyword:c#'] },
    ],
    ['does not follow a part of a word', { promptPreview: 'start' }, { taskClass: 'interactive' }],
    [
      'is coding for code',
      { promptPreview: 'Please refactor this' },
      {
        taskClass: 'hard_coding',
        source: 'classifier',
        signals: ['prompt=code-like'],
        reasoning: 'high',
      },
    ],
    ['is coding for that operation', { operation: 'code_reasoning' }, { taskClass: 'hard_coding' }],
    [
      'is local for a private request',
      { privacy: 'local_only' },
      { taskClass: 'local_sensitive', source: 'default' },
    ],
    ['is interactive by default', {}, { taskClass: 'interactive', source: 'default', signals: [] }],
  ])('%s', (_, request, expected) => {
    const input = inputFor(section, request)

    expect(classify(input.config, input.request)).toMatchObject(expected)
  })

  test.each(['memory_extraction', 'session_synthesis'] as const)(
    'is the operation %s by default',
    (operation) => {
      expect(decideFor({}, { operation }).taskClass).toBe(operation)
    },
  )
})
