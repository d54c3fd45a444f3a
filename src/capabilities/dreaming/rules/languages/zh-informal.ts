import type { Frame } from '../language-table.ts'

/** Statements in informal words. */
export const informalChinese: readonly Frame[] = [
  {
    rule: 'codes_in',
    slot: 'class',
    fallback: 'uses',
    value: 'tool',
    patterns: ['<S> ~ 用 <V> ~ 写代码|写程序|编程|敲代码'],
  },
  {
    rule: 'prefers',
    slot: 'prefers',
    value: 'phrase',
    patterns: ['比起 <SKIP> <S> ~ 更喜欢|更爱|更偏爱 <V>', '<S> ~ 就|只 爱|喜欢 <V>'],
  },
  {
    rule: 'prefers_no_longer',
    slot: 'prefers',
    value: 'phrase',
    change: 'end',
    patterns: [
      '<S> ~ 对 <V> ~ 没兴趣|没有兴趣|不感兴趣|没感觉|腻 了',
      '<S> ~ 对 <V> ~ 没兴趣了|不感兴趣了|没感觉了|腻了',
      '<V> ~ <S> ~ 已经 不喜欢|不爱 了',
    ],
  },
  {
    rule: 'allergic_to',
    slot: 'allergic_to',
    value: 'allergen',
    patterns: ['<S> ~ 一碰|一吃|一闻|一接触 [到] <V> ~ 就 过敏'],
  },
]
