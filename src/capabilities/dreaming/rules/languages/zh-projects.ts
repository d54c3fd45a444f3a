import type { Frame } from '../language-table.ts'

const is = '是|为|叫|仍是|还是|仍然是'
const became =
  '改成了|改为了|换成了|变成了|改为|改成|换成|变成|变为|改到了|改到|调整为|调整到|升级到|升级为|推迟到|推迟到了|提前到|延期到|移到了|移到'
const use = '使用|在用|用的是|常用|习惯用|用'

/** Statements about projects. */
export const chineseProjects: readonly Frame[] = [
  {
    rule: 'alias',
    slot: 'alias',
    value: 'alias',
    patterns: ['<V> 是 <PS> 简称|缩写|别名', '<P> ~ 简称|又称|别名是|简称为 <V>'],
  },
  {
    rule: 'rewritten_in',
    slot: 'language',
    value: 'technology',
    change: 'set',
    isEvent: true,
    patterns: [
      '<WE>|<S> ~ 用 <V> 重写了|改写了|重新实现了 <P>',
      '<P> ~ [的 服务端|后端|后台] ~ [已经] [被] 用 <V> 重写了|改写了|重写',
    ],
  },
  {
    rule: 'written_in',
    slot: 'language',
    value: 'technology',
    patterns: [
      '<P> ~ [的 服务端|后端|后台] ~ 是 ~ 用|使用|由 <V> ~ 写的|编写的|开发的|实现的|写成的',
      '<P> ~ 用|使用|采用 <V> ~ 编写|开发|实现|写成|写的',
      '<P> ~ 由 <V> ~ 编写|写成|实现',
    ],
  },
  {
    rule: 'deployed_on',
    slot: 'deployed_on',
    value: 'technology',
    patterns: [
      '<P> ~ 部署在|部署到|运行在|托管在|跑在|部署于|运行于 <V> 上|上面|平台上',
      '<P> ~ 部署在|部署到|运行在|托管在|跑在|部署于|运行于 <V> $',
      '<P> ~ 部署在|部署到|运行在|托管在|跑在|部署于|运行于 <V> 里|中',
      '<P> ~ 部署在|部署到|运行在|托管在|跑在|部署于|运行于 <V>',
      '<WE> ~ 把|将 <P> ~ 部署在|部署到|部署到了|托管在|运行在|迁移到 <V> 上|了',
      '<WE> ~ 把|将 <P> ~ 部署在|部署到|部署到了|托管在|运行在 <V>',
    ],
  },
  {
    rule: 'owned_by',
    slot: 'owner',
    value: 'person',
    patterns: [
      '<P> [项目] ~ 由 <V> ~ 负责|维护|主管|管理|拥有',
      '<V> ~ 负责|主管|拥有 <P>',
      '<V> ~ 是 <PS>|<P> 负责人|所有者|主管',
      '<P> ~ 归 <V> 所有|负责|管',
      '<P> ~ 属于 <V>',
    ],
  },
  {
    rule: 'owned_by_speaker',
    slot: 'owner',
    value: 'self',
    patterns: [
      '我|我来|我在 ~ 负责|主管|维护 <P>',
      '<P> ~ 由 我 ~ 负责|维护|管理',
      '<P> ~ 归 我 管|负责',
    ],
  },
  {
    rule: 'taken_over_by_speaker',
    slot: 'owner',
    value: 'self',
    change: 'set',
    isEvent: true,
    patterns: ['我 ~ 接手了|接管了|接手 <P>', '<P> ~ 转给|移交给|交给 我 了'],
  },
  {
    rule: 'owner_changed',
    slot: 'owner',
    value: 'person',
    change: 'set',
    isEvent: true,
    patterns: [
      '<V> ~ 接手了|接管了|接手 <P>',
      '<P> ~ [已经] [从 <F>] 转给了|转给|移交给了|移交给|交给了|交给|转交给 <V> [了]',
      '<F> ~ 把 <P> 交给了|移交给了|转给了|转交给 <V>',
    ],
  },
  {
    rule: 'listens_on',
    slot: 'port',
    value: 'property',
    patterns: ['<P> ~ 监听 [在] [端口] <V> [端口]', '<P> ~ 运行在 端口 <V>'],
  },
  {
    rule: 'noun_changed',
    slot: 'noun',
    value: 'property',
    change: 'set',
    isEvent: true,
    patterns: [
      `<PS> ^ <N> ~ [已经|已] [从|由 <F>] ${became} <V>`,
      `<WE>|<S> ~ 把|将 <PS> ^ <N> ~ [从|由 <F>] ${became} <V>`,
      `<P> ~ [已经|已] 把|将 ^ <N> ~ [从|由 <F>] ${became} <V>`,
    ],
  },
  {
    rule: 'noun',
    slot: 'noun',
    value: 'property',
    patterns: [
      `<PS> ^ <N> ~ ${is} ~ <V>`,
      `<P> 生产环境 的 端口 ~ ${is} <V>`,
      `<P> ~ 用|使用|采用|以 <V> 作为|作|当|做|为 [其] ^ <N>`,
      `<P> ~ ${use} 的 ^ <N> ~ ${is} <V>`,
      `<P> ^ <N> ~ 用的是|使用的是|是 <V>`,
    ],
  },
  {
    rule: 'database',
    slot: 'database',
    value: 'technology',
    patterns: [
      '<P> ~ [把|将] [的] 数据 ~ 存在|存储在|保存在 <V> [里|中]',
      '<P> ~ 用|使用|采用|用的是|使用的是 <V> 数据库',
    ],
  },
  {
    rule: 'migrated',
    slot: undefined,
    value: 'property',
    change: 'from-to',
    isEvent: true,
    patterns: [
      '<WE>|<S> ~ 把|将 <P> ~ 从 <F> 迁移到了|迁移到|迁到了|迁到|换成了|换成|改成了|改为|切换到了|切换到|移植到了|移植到 <V>',
      '<P> ~ [已经|已] 从 <F> 迁移到了|迁移到|迁到了|迁到|换成了|换成|改成了|改为|切换到了|切换到|移植到了|移植到 <V>',
      '<WE>|<S> ~ 在 <P> 中|里 ~ 用 <V> 替换了|取代了|代替了 <F>',
    ],
  },
  {
    rule: 'depends_no_longer',
    slot: 'depends_on',
    value: 'technology',
    change: 'end',
    isEvent: true,
    patterns: ['<P> ~ 不再|不 依赖于|依赖|需要 <V> 了', '<P> ~ 不再 依赖于|依赖|需要 <V>'],
  },
  {
    rule: 'depends_on',
    slot: 'depends_on',
    value: 'technology',
    patterns: ['<P> ~ 依赖于|依赖|需要|基于|要求 <V>'],
  },
  {
    rule: 'project_uses_no_longer',
    slot: undefined,
    value: 'technology',
    change: 'end',
    isEvent: true,
    patterns: [
      '<P> ~ 不再|不 使用|用 <V> 了',
      '<P> ~ 不再 使用|用 <V>',
      '<P> ~ 不再 部署在|运行在 <V> [上]',
    ],
  },
  {
    rule: 'project_uses',
    slot: 'uses',
    value: 'technology',
    patterns: ['<P> ~ 使用|采用|用 ~ <V>'],
  },
  {
    rule: 'decision_reversed',
    slot: 'decision',
    value: 'decision',
    change: 'end',
    isEvent: true,
    patterns: [
      '<WE> ~ 撤销了|取消了|推翻了|撤回了|放弃了 ~ [在] <P> 中|里|上 <V> 的决定',
      '<WE> ~ 撤销了|取消了|推翻了|撤回了|放弃了 ~ <PS> <V> 的决定',
      '<WE> ~ 在 <P> 中|里|上 ~ 撤销了|取消了|推翻了|撤回了|放弃了 <V> 的决定',
    ],
  },
  {
    rule: 'decision',
    slot: 'decision',
    value: 'decision',
    patterns: [
      '<WE> ~ [已经] 决定|商定|约定 ~ 在|为|对|给 <P> 中|里|上|项目中|项目里 ~ <V>',
      '<WE> ~ [已经] 决定|商定|约定 ~ 在|为|对|给 <P> ~ <V>',
      '在|对于|关于|针对|对 <P> [中|里|上] ~ <WE> ~ [已经] 决定|商定|约定 [要] <V>',
      '<P> <WE> 决定 <V>',
      '[关于] <PS> 决定 ~ 是|<COLON> <V>',
      '<P> 决定 <COLON> <V>',
    ],
  },
]
