import type { Frame } from '../language-table.ts'

const onto =
  '迁移到了|迁移到|迁到了|迁到|搬到了|搬到|换成了|换成|改成了|改成|改为|切换到了|切换到|移植到了|移植到|转到了|转到'

/** What a project is made of: the well-known name says which slot it is. */
export const chineseStack: readonly Frame[] = [
  {
    rule: 'made_of',
    slot: 'class',
    value: 'technology',
    patterns: [
      '<P> 的 [所有] 数据|记录|文档|表 ~ 都 存在|存储在|保存在|放在|在 <V> [里|中|上]',
      '<P> 的 [所有] 数据|记录|文档|表 ~ 存在|存储在|保存在|放在|在 <V> [里|中|上]',
      '<P> ~ 把|将 [所有] 数据 ~ 存在|存到|存进|存储在|保存在|放在|写入 <V> [里|中|上]',
      '<P> [的] 代码|源码|后端|后台|底层 ~ 是|用|用的是 ~ <V> [写的|写|开发的]',
      '<P> ~ 是 一个 <V> 项目|应用|程序|服务|系统',
      '<P> ~ 是|用的是|使用的是|用 ~ <V> $',
      '<P> ~ 放在|搭在|架在|建在|部署在|跑在 <V> [上|里|中]',
      '<WE> ~ 用 <V> ~ 写|开发|实现|编写|维护 <P>',
      '<WE> ~ 给|为 <P> 用|使用 [了|的] [是] <V>',
    ],
  },
  {
    rule: 'made_of_now',
    slot: 'class',
    value: 'technology',
    change: 'set',
    isEvent: true,
    patterns: [
      `<WE>|<S> ~ 把|将 <P> [的] [数据|代码|数据库|后端] ~ 从 <F> ${onto} <V> [了|上]`,
      `<P> [的] [数据|代码|数据库|后端] ~ [已经|已] 从 <F> ${onto} <V> [了|上]`,
      `<P> [的] 数据|代码|后端 ~ [已经|已] ${onto} <V> [了|上]`,
    ],
  },
  {
    rule: 'built_on',
    slot: 'class',
    value: 'technology',
    fallback: 'depends_on',
    patterns: [
      '<P> ~ 基于|构建于|建立在 <V> [之上|上|开发|构建]',
      '<P> ~ 离不开|少不了 <V>',
      '没有 <V> [,|，] <P> ~ [就] 无法|不能|跑不|启动不',
    ],
  },
]
