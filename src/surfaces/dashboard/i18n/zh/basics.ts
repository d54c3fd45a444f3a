import type { Dictionary } from '../en.ts'

const numbers = new Intl.NumberFormat('zh')

type Common = Pick<Dictionary, 'common' | 'link' | 'states'>

export const basics: Common = {
  common: {
    tryAgain: '重试',
    tryAgainIn: (seconds) => `${Math.ceil(seconds)} 秒后再试`,
    loading: '正在加载',
    cancel: '取消',
    close: '关闭',
    save: '保存',
    saving: '正在保存…',
    undo: '撤销',
    undone: '已撤销。',
    discardQuestion: '您输入的内容尚未保存。要放弃吗？',
    discard: '放弃',
    goOn: '继续编辑',
    showAll: (length) => `显示全部 ${numbers.format(length)} 个字符`,
    showPlain: '以纯文本显示全部',
    more: '显示更多',
    reason: '原因',
    unknown: '未知',
    all: '全部',
    back: '返回',
    asTable: '以表格显示',
    yes: '是',
    no: '否',
    none: '无',
    dayBefore: '更早',
  },
  link: {
    open: '打开链接',
    title: '要打开此地址吗？',
    warning: '该地址来自记忆文本。请检查它指向哪里。',
    scheme: '协议',
    host: '主机',
    rest: '其余部分',
  },
  states: {
    notAvailable: '不可用',
    notAvailableWhy: '此版本没有该操作，或者您无权使用：',
    brokenShape: '返回的数据与此页面预期的格式不同',
    title: (error) => titleOf(error),
    missingFile: '页面缺少一个部分',
    missingFileText: '服务没有响应，或者已经更新。请重试以加载新版本的页面。',
    notFound: '未找到',
    notFoundText: '此地址没有页面。请搜索或选择一个页面。',
    gone: '它已不存在，或者您无权读取。',
  },
}

const titles: Readonly<Record<string, string>> = {
  '400': '未被接受',
  '401': '请登录后查看',
  '403': '您无权执行此操作',
  '404': '它已不存在，或者您无权读取',
  '409': '它在此期间已被更改',
  '413': '内容过大',
  '429': '请求过多，请稍候',
  '503': '服务正在启动或繁忙',
}

function titleOf(error: unknown): string {
  const { status, code } = Object(error) as { status?: number | null; code?: string }
  if (code === 'unreachable') return '服务没有响应'
  if (code === 'too_slow') return '30 秒内没有响应'
  return titles[String(status)] ?? '无法读取'
}
