import type { Dictionary } from '../en.ts'

export const settings: Dictionary['settings'] = {
  review: '查看更改',
  changes: '更改',
  edited: (value) => (value === 0 ? '' : `${value} 项更改`),
  revert: '撤销编辑',
  useDefault: '使用默认值',
  unset: '（未设置）',
  isSet: '已设置值，不予显示。',
  unit: (name) => `单位：${name}。`,
  default: (text) => `默认值：${text}。`,
  sources: { default: '默认', file: '来自文件', environment: '由环境变量设置' },
  restart: '需要重启',
  restartText: '其中一部分在服务重启后生效。',
  saved: '设置已保存。',
  savedForRestart: '设置已保存。重启服务后全部生效。',
}
