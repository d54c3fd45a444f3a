import { describe, expect, test } from 'vitest'
import { decideFor, type inputFor } from './decision.fixture.ts'

const refs = ['home/small', 'far/mid', 'best/big']

describe('the score', () => {
  const scoresOf = (...given: Parameters<typeof inputFor>) =>
    Object.fromEntries(
      decideFor(...given).trace.candidates.map((each) => [each.targetRef, each.score]),
    )

  test('adds the place, the reasoning, the kind, the health and the account', () => {
    // Required reasoning is medium: 10 - 10, 25 and 25 - 3.
    expect(scoresOf({})).toEqual({
      'home/small': 100 + 0 + 12 + 12 + 6,
      'far/mid': 95 + 25 + 12 + 6,
      'best/big': 90 + 22 + 12 + 6,
    })
  })

  test('adds latency and cost only where there is a budget or a ceiling', () => {
    expect(scoresOf({}, { latencyBudgetMs: 2_000, costCeiling: 'high' })).toEqual({
      'home/small': 130 + 10 + 8,
      'far/mid': 138 + 10 + 8,
      'best/big': 130 + 8,
    })
  })

  test('falls with health and an unknown account', () => {
    const states = { 'far/mid': { health: 'degraded', accountState: 'unknown' } } as const

    expect(scoresOf({}, {}, { states })['far/mid']).toBe(95 + 25 - 8)
  })

  test('falls by ten for each missing level of reasoning', () => {
    const section = { taskClasses: { t: { reasoning: 'high' } } }

    expect(scoresOf(section, { taskClass: 't' })).toEqual({
      'home/small': 100 - 10 + 30,
      'far/mid': 95 + 0 + 18,
      'best/big': 90 + 25 + 18,
    })
  })

  test('is null for a blocked target, and its reasons are its parts', () => {
    const [first, second] = decideFor({}, { requireTools: true, explicitTargets: ['home/small'] })
      .trace.candidates
    const blocked = decideFor({}, { privacy: 'local_only' }).trace.candidates[1]

    expect(first?.reasons).toEqual(['base:+100', 'local:+12', 'health:+12', 'account:+6'])
    expect([second, blocked?.score]).toEqual([undefined, null])
  })
})

describe('the selection', () => {
  test.each([
    ['strict', 'home/small', ['far/mid', 'best/big']],
    ['automatic', 'far/mid', ['home/small', 'best/big']],
    ['hybrid', 'far/mid', ['home/small', 'best/big']],
  ])('of the mode %s', (mode, targetRef, fallbackTargetRefs) => {
    expect(decideFor({ policies: { p: { mode } } })).toMatchObject({
      mode,
      targetRef,
      fallbackTargetRefs,
    })
  })

  test('of equal scores takes the earlier one', () => {
    const same = { executor: 'openai', models: { m: { model: 'm', averageLatencyMs: 1 } } }
    const states = { 'b/m': { accountState: 'ready' }, 'a/m': { accountState: 'unknown' } } as const
    const section = { targets: { a: same, b: same } }

    expect(decideFor(section).targetRef).toBe('a/m')
    expect(decideFor(section, {}, { states }).targetRef).toBe('b/m')
  })

  test('leaves a target with an open circuit in the order and out of the fallbacks', () => {
    const decision = decideFor({}, {}, { states: { 'home/small': { circuitOpen: true } } })

    expect(decision.trace.orderedTargets).toEqual(refs)
    expect(decision.fallbackTargetRefs).toEqual(['best/big'])
  })
})

test('the same input gives the same trace, byte by byte', () => {
  const given = [{ policies: { p: { allow: refs } } }, { promptPreview: 'a question' }] as const

  expect(JSON.stringify(decideFor(...given))).toBe(JSON.stringify(decideFor(...given)))
})
