import type { Dictionary } from '../en.ts'

const numbers = new Intl.NumberFormat('zh')

export const map: Dictionary['map'] = {
  lede: '意思相近的记忆彼此靠近。围绕一些点画线以列出它们。',
  none: '还没有地图',
  noneText: '当记忆有向量时会出现。',
  computing: '正在绘制地图',
  computingText: '完成后会自动出现。',
  label: (value) => `${numbers.format(value)} 个点；下面的列表内容相同`,
  tools: '地图工具',
  filter: '显示包含此内容的文本',
  colourBy: '着色依据',
  colourings: { type: '按类型着色', who: '按发言者着色', time: '按时间着色' },
  legend: '颜色',
  other: '所有其他',
  ages: { day: '今天', week: '本周', month: '本月', older: '更早' },
  depth: '三维',
  move: '移动',
  turn: '旋转',
  zoomIn: '放大',
  zoomOut: '缩小',
  reset: '整个地图',
  selected: '已选择',
  selectedOf: (value, total) => `${numbers.format(total)} 个中的 ${numbers.format(value)} 个`,
  moreSelected: (value) => `还有 ${numbers.format(value)} 个。画一条更小的线以列出它们。`,
  clear: '清除选择',
}
