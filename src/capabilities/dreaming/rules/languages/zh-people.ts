import type { Frame } from '../language-table.ts'

const is = '是|为|叫|仍是|还是|仍然是'
const became =
  '改成了|改为了|换成了|变成了|改为|改成|换成|变成|变为|改到了|改到|调整为|调整到|升级到|升级为|推迟到|推迟到了|提前到|延期到|移到了|移到'
const live = '住在|居住在|定居在|生活在|长住|常住'
const use = '使用|在用|用的是|常用|习惯用|用'

/** Statements about people. */
export const chinesePeople: readonly Frame[] = [
  {
    rule: 'moved_to',
    slot: 'lives_in',
    value: 'place',
    change: 'set',
    isEvent: true,
    patterns: [
      '<S> ~ [从 <F>] 搬到了|搬到|搬去了|搬去|搬来了|搬来 <V> 住了|住|定居|生活|居住',
      '<S> ~ [从 <F>] 搬到了|搬到|搬去了|搬去|搬至|搬家到了|搬家到|搬来了|搬来|移居到|移居|迁居到|迁到了|迁到 <V>',
      '<S> ~ [从 <F>] 搬到了|搬到|搬去了|搬去|搬家到 <V> 去|了|住|住了|居住',
    ],
  },
  {
    rule: 'lives_in',
    slot: 'lives_in',
    value: 'place',
    takesStranger: true,
    patterns: [
      `<S> ~ ${live} ~ <V>`,
      '<S> ~ 在 <V> ~ 居住|生活|定居|安家|住',
      `<S> [的] 家|住址|住处|常住地|居住地|现居地 ~ 在|${is} <V>`,
      '<S> ~ 现居|家住|人在|定居 <V>',
    ],
  },
  {
    rule: 'left_place',
    slot: 'lives_in',
    value: 'place',
    change: 'end',
    patterns: [
      '<S> ~ 不再 住在|居住在|生活在 <V> [了]',
      '<S> ~ 不 住在|居住在|生活在 <V> 了',
      '<S> ~ 搬离了|搬离|搬出了|离开了 <V>',
    ],
  },
  {
    rule: 'joined',
    slot: 'works_at',
    value: 'company',
    change: 'set',
    isEvent: true,
    patterns: [
      '<S> ~ [从 <F>] 跳槽到了|跳槽到|跳槽去了|跳槽去|跳到了|入职了|入职|加入了|加盟了|加盟 <V>',
      '<S> ~ 离开了|离开|辞去了 <F> ~ 加入了|加入|去了|进了|入职了|入职 <V>',
      '<S> ~ 去了|到了 <V> 工作|上班|任职',
    ],
  },
  {
    rule: 'works_at',
    slot: 'works_at',
    value: 'organization',
    takesStranger: true,
    patterns: [
      '<S> ~ 在 <V> ~ 工作|上班|任职|就职|供职|做事|干活|当',
      '<S> ~ 就职于|任职于|供职于|受雇于|效力于|服务于 <V>',
      `<S> [的] [新] 雇主|公司|单位|东家|工作单位 ~ ${is} <V>`,
      '<S> ~ 为|给 <V> ~ 工作|打工|干活',
      '<S> ~ 是 <V> 的 员工|职员|雇员|律师|会计|经理|工程师|程序员|设计师|医生|护士|编辑|记者',
      '<S> ~ 在 <V> ~ 做 <SKIP>',
    ],
  },
  {
    rule: 'left_employer',
    slot: undefined,
    value: 'organization',
    change: 'end',
    isEvent: true,
    patterns: [
      '<S> ~ 不再 在 <V> 工作|上班|任职 [了]',
      '<S> ~ 不 在 <V> 工作|上班|任职 了',
      '<S> ~ 从 <V> 离职|辞职|退休 [了]',
      '<S> ~ 离开了 <V>',
    ],
  },
  {
    rule: 'role',
    slot: 'role',
    value: 'role',
    patterns: [`<S> [的] 职业|职位|岗位|工作 ~ ${is} <V>`, '<S> ~ 担任|任 <V>'],
  },
  {
    rule: 'own_noun_changed',
    slot: 'noun',
    value: 'property',
    change: 'set',
    isEvent: true,
    patterns: [
      `<SS> ^ <N> ~ [已经] [从 <F>] ${became} <V>`,
      `<S> ~ 把 ^ <N> ~ [从 <F>] ${became} <V>`,
      `<S> ~ [已经] 换了 ^ <N> ,|， ~ [现在] ${is}|用|使用 <V>`,
      `<S> ~ [已经] 换 ^ <N> 了 ,|， ~ [现在] [${is}|用|使用] <V>`,
    ],
  },
  {
    rule: 'own_noun',
    slot: 'noun',
    value: 'property',
    patterns: [
      `<SS> ^ <N> ~ ${is} ~ <V>`,
      `<S> ~ 用|使用 <V> 作为|作|当|做 ^ <N>`,
      `<S> ~ 用 的 ^ <N> ~ ${is} <V>`,
      `<S> ^ <N> ~ 用|使用 [的] [是] ~ <V>`,
    ],
  },
  {
    rule: 'prefers_no_longer',
    slot: 'prefers',
    value: 'phrase',
    change: 'end',
    patterns: [
      '<S> ~ 不再|不 更喜欢|喜欢|偏爱|偏好 <V> 了',
      '<S> ~ 不再 更喜欢|喜欢|偏爱|偏好 <V>',
    ],
  },
  {
    rule: 'prefers',
    slot: 'prefers',
    value: 'phrase',
    takesStranger: true,
    patterns: [
      '<S> ~ 更喜欢|更爱|最爱|最喜欢|比较喜欢|偏爱|偏好|更偏爱|更偏好|钟爱|喜欢|倾向于 <V>',
      `<SS> 偏好|喜好 ~ ${is} <V>`,
    ],
  },
  {
    rule: 'allergy_gone',
    slot: 'allergic_to',
    value: 'allergen',
    change: 'end',
    isEvent: true,
    patterns: [
      '<S> ~ 对 <V> ~ 不再过敏|不过敏了|已经不过敏|不再过敏了',
      '<S> ~ 不再 对 <V> 过敏 [了]',
      '<S> ~ 不 对 <V> 过敏 了',
      '<S> ~ 对 <V> 的 过敏 ~ 好了|没了|没有了|消失了|痊愈了|治好了',
      '<SS> <V> 过敏 ~ 好了|痊愈了|消失了|没有了',
    ],
  },
  {
    rule: 'allergic_to',
    slot: 'allergic_to',
    value: 'allergen',
    takesStranger: true,
    patterns: [
      '<S> ~ 对 <V> ~ 有过敏反应|起过敏反应|会过敏|有过敏',
      '<S> ~ 对 <V> ~ [严重] 过敏',
      '<S> ~ 有 <V> 过敏|过敏症',
      '<S> ~ 吃|喝|碰|接触 <V> ~ [就|会|都] 过敏',
      '<V> ~ 会 让|使 <S> 过敏',
      '<S> ~ 不能 吃|喝|碰 <V> [,|，] ~ 会|要 过敏',
    ],
  },
  {
    rule: 'speaks',
    slot: 'speaks',
    value: 'language',
    takesStranger: true,
    patterns: [
      '<S> ~ 会说|会讲|能说|能讲|精通|通晓|掌握|说|讲|会 ~ [流利的|一点|一口流利的] <V>',
      `<SS> 母语|第一语言|第二语言 ~ ${is} <V>`,
    ],
  },
  {
    rule: 'uses_no_longer',
    slot: undefined,
    value: 'tool',
    change: 'end',
    isEvent: true,
    patterns: [
      '<S> ~ 不再|不|没再 使用|用|依赖 <V> 了',
      '<S> ~ 不再 使用|用|依赖 <V>',
      '<S> ~ 停用了|弃用了|卸载了|放弃了|停止使用|停止使用了|戒掉了 <V>',
    ],
  },
  {
    rule: 'switched_to',
    slot: undefined,
    fallback: 'uses',
    value: 'tool',
    change: 'from-to',
    isEvent: true,
    patterns: ['<S> ~ 改用了|改用|换成了|换用了 <V> [了]'],
  },
  {
    rule: 'uses',
    unless: '写代码, 写程序, 编程, 敲代码',
    slot: 'uses',
    value: 'tool',
    patterns: [`<S> ~ ${use}|依赖|依靠|离不开 ~ <V>`],
  },
  {
    rule: 'uses',
    slot: 'uses',
    value: 'tool',
    patterns: [
      '<S> ~ 写代码|做笔记|画图|剪视频|写作 ~ 用|使用|都用 <V>',
      '<S> ~ 开始用|开始使用|用上了 <V>',
    ],
  },
  {
    rule: 'replaced',
    slot: undefined,
    value: 'property',
    change: 'from-to',
    isEvent: true,
    patterns: [
      `<S> ~ 从 <F> 换到了|换到|换成了|换成|转到了|转到|迁移到了|迁移到|改用|改用了|切换到了|切换到|转向 <V>`,
      '<S> ~ 把 <F> 换成了|换成|替换成了|替换为|改成了 <V>',
      '<S> ~ 用 <V> 替换了|取代了|代替了|替代了 <F>',
    ],
  },
]
