import type { ReportTable } from '../language-table.ts'

/** Reports of changes that no frame reads. Values in ideographs are the matter of frames. */
export const chineseReports: ReportTable = {
  speakers: '我, 我们, 咱们',
  others:
    '他, 她, 他们, 你, 哥哥, 弟弟, 姐姐, 妹妹, 爸爸, 妈妈, 爱人, 老婆, 老公, 丈夫, 妻子, 儿子, 女儿, 朋友, 同事, 邻居, 老板, 客户, 室友, 同学, 孩子, 有人, 别人',
  changes: `现在, 换, 换成, 改, 改成, 改为, 改用, 迁移, 迁, 搬, 转, 升级, 替换, 取代, 重写, 移植, 接手, 接任, 交给, 交接, 移交, 负责, 推迟, 延期, 提前, 顺延, 新, 更正, 纠正, 说错, 写错, 记错, 不再, 不是, 回, 又`,
  ends: '不再, 不用 .. 了, 不 .. 了, 没有 .. 了, 卸载, 删, 删除, 删了, 弃用, 停用, 下线, 移除, 去掉, 取消, 撤销, 作废, 告别, 过敏 .. 好了, 痊愈, 治好, 退订, 注销, 关停, 拆掉, 淘汰, 扔掉, 停了',
  jobEnds: '离职, 辞职, 被裁, 裁员, 开除, 倒闭, 退休, 离开, 解雇, 辞退, 炒了, 不干',
  additions: '也, 还, 另外, 同时, 以及, 仍, 仍然, 依然, 测试一下, 对比, 比较, 文档, 备份',
  passives: '',
  sources: '从, 由, 不是, 不再, 而不是, 代替, 取代, 替换, 不用, 不在',
  targets: '回到, 换回, 用回, 改回',
  moves:
    '迁到, 迁到了, 迁移到, 迁移到了, 搬到, 搬到了, 换到, 换到了, 切到, 切换到, 切换到了, 转到, 转到了',
  portMarkers: '',
  heads: '',
  closings: '谢谢, 祝好, 此致, 再见, 辛苦, 先这样',
  imperatives: '请, 帮我, 麻烦, 请把',
  slots: `负责 = owner, 接手 = owner, 接任 = owner, 交给 = owner, 移交 = owner, 负责人 = owner, 维护 = owner, 截止 = deadline, 推迟 = deadline, 延期 = deadline, 提前 = deadline, 交付 = deadline, 上线 = deadline,
    数据库 = database, 存储 = database, 语言 = language, 写 = language, 重写 = language, 部署 = deployed_on, 托管 = deployed_on, 跑在 = deployed_on, 测试端口 = staging_port, 测试环境 = staging_port, 生产端口 = production_port, 生产环境 = production_port,
    端口 = port, 版本 = version`,
  nameMarkers: '',
}
