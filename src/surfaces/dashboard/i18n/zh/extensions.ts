import type { Dictionary } from '../en.ts'

export const extensions: Dictionary['extensions'] = {
  text: '文本',
  about: '关于',
  version: '版本',
  author: '作者',
  license: '许可证',
  verified: '已验证',
  asksFor: '请求的权限',
  path: '文件夹',
  rights: '权限',
  grant: '授予',
  withdraw: '收回',
  panels: '面板',
  audit: '它做过的事',
  noEvents: '没有记录。',
  runs: '运行',
  noRuns: '还没有运行过。',
  prompt: '提示',
}
