import type { Frame } from '../language-table.ts'

const handOverVerbs =
  '交接给了|交接给|移交给了|移交给|交给了|交给|转给了|转给|转交给了|转交给|托付给了|托付给|让给了|过户给'
const moveVerbs =
  '迁移到了|迁移到|迁移至|迁到了|迁到|迁至|搬到了|搬到|挪到了|挪到|转到了|转到|转移到了|转移到|切换到了|切换到|切换至|升级到了|升级到|升级为|降级到|换成了|换成|换到了|换到|改成了|改成|改为了|改为|变成了|变为|改写成了|改写成|改写为|重写为|重写成|移植到了|移植到'
const delayVerbs =
  '延到了|延到|推到了|推到|推后到|拖到|推迟到了|推迟到|推迟至|延期到了|延期到|延期至|延长到|延长至|延后到|延后至|延至|提前到了|提前到|提前至|顺延到|顺延至|改到了|改到|改期到|调整到|调整为'

/** Announcements of changes of a person or a project. */
export const chineseChanges: readonly Frame[] = [
  {
    rule: 'moved_home',
    slot: 'lives_in',
    value: 'place',
    change: 'set',
    isEvent: true,
    patterns: [
      '<S> ~ [从 <F>] 搬回了|搬回|搬回到|迁回了|迁回|回到了|搬进了|搬进|搬家去了|搬家去|落户到|落户 <V> [了|住]',
      '<S> ~ 不 住在|住 <F> 了 ， ~ 住在|搬到了|搬到|住 <V>',
      '<S> ~ 不再 住在 <F> ， ~ 住在|搬到了|搬到 <V>',
      '<ME> 新 地址|住址|家 <COLON> <V>',
      '<SS> 新 家|住址|地址 ~ 在 <V>',
    ],
  },
  {
    rule: 'home_after_move',
    slot: 'lives_in',
    value: 'place',
    change: 'set',
    isEvent: true,
    after: '搬家, 搬了家, 搬走, 搬了, 新家',
    patterns: ['<ME> ~ 住在|搬到了|搬到 <V>', '<ME> 新家 ~ 在 <V>'],
  },
  {
    rule: 'joined_now',
    slot: 'works_at',
    value: 'company',
    change: 'set',
    isEvent: true,
    patterns: [
      '<S> ~ [从 <F>] 转到了|转到|转去了|转去|调到了|调到|去了|换到了|换到 <V> 上班|工作|任职|就职',
      '<S> ~ 不 在 <F> 上班|工作 了 ， ~ 在 <V> 上班|工作|任职',
      '<ME> 新 公司|单位|东家|雇主 <COLON> <V>',
      '<S> ~ 换了|换 公司|工作|单位 [了] ， ~ 在 <V> [上班|工作]',
    ],
  },
  {
    rule: 'works_there',
    slot: 'works_at',
    value: 'organization',
    patterns: ['<S> ~ 在 <V> ~ 上班|任职|就职|供职|做事|干活'],
  },
  {
    rule: 'became',
    slot: 'role',
    value: 'role',
    change: 'set',
    isEvent: true,
    patterns: [
      '<S> ~ 升职为|升职成|升为|晋升为|晋升成|升任|被提升为|提升为|被提拔为|提拔为|转岗为|调任|被任命为|当上了|成为了|转为 <V>',
    ],
  },
  {
    rule: 'language_changed',
    slot: 'language',
    value: 'technology',
    change: 'set',
    isEvent: true,
    patterns: [
      '<P> ~ [从 <F>] 改用|改用了|换成|换成了|换用|转用|改成|改为 <V> 开发|编写|重写|实现|写',
      '<P> ~ 用 <V> 重新 编写|开发|实现|写 了',
      '<WE>|<S> ~ 把|将 <P> ~ [从 <F>] 用|改用 <V> 重写|重写了|改写了',
    ],
  },
  {
    rule: 'due_changed',
    slot: 'deadline',
    value: 'date',
    change: 'set',
    isEvent: true,
    patterns: [
      `<P> ~ [从 <F>] ${delayVerbs} <V>`,
      `<WE>|<S> ~ 把|将 <P> ~ [从 <F>] ${delayVerbs} <V>`,
    ],
  },
  {
    rule: 'noun_moved',
    slot: 'noun',
    value: 'property',
    change: 'set',
    isEvent: true,
    patterns: [
      `<PS> ^ <N> ~ [已经|已] [从|由 <F>] ${moveVerbs}|${delayVerbs} <V>`,
      `<WE>|<S> ~ 把|将 <PS> ^ <N> ~ [从|由 <F>] ${moveVerbs}|${delayVerbs} <V>`,
      `<P> ~ [已经|已] 把|将 ^ <N> ~ [从|由 <F>] ${moveVerbs}|${delayVerbs} <V>`,
      `<PS> ^ <N> ~ 不 是 <F> ， ~ 是|而是 <V>`,
      `<PS> ^ <N> ~ 不再 是 <F> ， ~ 是|而是|改为 <V>`,
      `<PS> ^ <N> ~ 推迟|提前|延期|延后|变|改|变更|调整 [了] ， ~ 改为|改成|改到|是|变成|到|调整为 <V>`,
      `<WE>|<S> ~ 给|为 <P> 换了|换 ^ <N> ， ~ 是|用|使用|用的是|换成了|换成 <V>`,
      `<P> ~ 换了|换 ^ <N> ， ~ 是|用|使用|用的是|换成了|换成 <V>`,
      `<P> <COLON> ^ <N> ~ [从 <F>] ${moveVerbs}|${delayVerbs} <V>`,
    ],
  },
  {
    rule: 'owned_now',
    slot: 'owner',
    value: 'person',
    change: 'set',
    isEvent: true,
    patterns: [
      `<P> ~ [从 <F>] ${handOverVerbs} <V> 负责|管理|维护|来管|打理 [了]`,
      `<P> ~ [从 <F>] ${handOverVerbs} <V> 了`,
      `<P> ~ [从 <F>] ${handOverVerbs} <V>`,
      `<S>|<WE> ~ 把|将 <P> ~ ${handOverVerbs} <V> 负责|管理|维护 [了]`,
      `<S>|<WE> ~ 把|将 <P> ~ ${handOverVerbs} <V>`,
      '<P> ~ 改由|现由|现在由|换成 <V> 负责|管理|维护|接手',
      '<V> ~ 从 <F> 那里|手里|手中 ~ 接手了|接过了|接管了|接手 <P>',
      '<V> ~ 接手了|接管了|接过了|接任了|接手|接管 <P> [项目]',
    ],
  },
  {
    rule: 'deployed_now',
    slot: 'deployed_on',
    value: 'technology',
    change: 'set',
    isEvent: true,
    patterns: [
      '<P> ~ 重新 部署到了|部署到|部署在 <V> [上]',
      '<P> ~ 改为|改成|改 部署在|部署到|托管在|运行在|跑在 <V> [上]',
    ],
  },
  {
    rule: 'exchanged',
    slot: undefined,
    value: 'property',
    change: 'from-to',
    isEvent: true,
    patterns: [
      `<P> ~ [已经|已] 从|由 <F> ${moveVerbs}|改用了|改用|换用|转用 <V>`,
      `<WE>|<S> ~ 把|将 <P> ~ 从|由 <F> ${moveVerbs} <V>`,
      `<WE>|<S> ~ 把|将 <P> 的 <F> ~ ${moveVerbs} <V>`,
      '<P> ~ 用 <V> 代替|代替了|取代|取代了|替换|替换了|替代了 <F>',
      '<P> ~ 不 用|使用 <F> 了 ， ~ 改用|改用了|换成了|用|使用 <V>',
      '<P> ~ 不再 用|使用 <F> ， ~ 改用|改用了|换成了|用|使用 <V>',
      '<S> ~ 用 <V> 代替|代替了|取代|取代了|替换|替换了|替代了 <F>',
      '<S> ~ 从 <F> 换回了|换回|转回|改回 <V>',
    ],
  },
  {
    rule: 'now_on',
    slot: undefined,
    value: 'technology',
    change: 'from-to',
    isEvent: true,
    patterns: [
      `<P> ~ [已经|已] ${moveVerbs}|改用了|改用|换用|转用|换回了|换回|改回|用回了|用回 <V> [了]`,
      `<WE>|<S> ~ 把|将 <P> ~ ${moveVerbs} <V>`,
    ],
  },
  {
    rule: 'back_to',
    slot: undefined,
    value: 'tool',
    change: 'from-to',
    isEvent: true,
    patterns: ['<S> ~ 换回了|换回|改回|转回|又用回了|又用回|用回了|用回|转用|转向了 <V> [了]'],
  },
  {
    rule: 'over',
    slot: undefined,
    value: 'property',
    change: 'end',
    isEvent: true,
    patterns: [
      '<S> ~ 从 <V> 离职|辞职|退休|离开|退出|毕业|走 了',
      '<S> ~ 告别了|抛弃了|扔掉了|删掉了|删除了|卸载掉|退订了|注销了|辞掉了|辞去了 <V> [了|的工作]',
      '<S> ~ 离开|退出 <V> 了',
      '<ME> <V> [，] 我 ~ 不 用|使用 了',
      '<ME> <V> [，] 我 ~ 卸载了|删了|删掉了|弃用了|停用了|退订了',
      '<S> ~ 把 <V> 卸载了|删了|停了|弃用了|退订了',
      '<S> ~ 已经 不 用|使用|住在 <V> 了',
      '<WE>|<S> ~ 从 <P> 中|里 ~ 移除了|去掉了|删除了|移除|去掉 <V>',
      '<P> ~ 移除了|去掉了|摆脱了|弃用了|停用了|抛弃了 <V> [依赖|的依赖]',
    ],
  },
]
