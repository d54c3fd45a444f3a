/** What extraction shall find in a sentence; null for nothing. */
type Expected = readonly [kind: 'claim' | 'link', subject: 'A' | 'B', object?: 'A' | 'B'] | null

/** A and B stand for names. */
type Pattern = readonly [sentence: string, expected: Expected]

export const names: readonly (readonly [string, string])[] = [
  ['Heron Gateway', 'PostgreSQL'],
  ['Copper Lantern', 'Quill-7'],
  ['BlueFinch', 'Harbour Index'],
  ['Maple Street Clinic', 'OpenTide'],
  ['Ridge-4', 'Salt River Board'],
]

export const chineseNames: readonly (readonly [string, string])[] = [
  ['Heron2', 'PostgreSQL'],
  ['CopperLantern', 'Quill-7'],
  ['BlueFinch', 'HarbourIndex'],
  ['Maple3', 'OpenTide'],
  ['Ridge-4', 'SaltRiver9'],
]

export const english: readonly Pattern[] = [
  ['A must rotate its credentials every week.', ['claim', 'A']],
  ['A should answer within two seconds.', ['claim', 'A']],
  ['A needs to stay small.', ['claim', 'A']],
  ['A is written in Rust.', ['claim', 'A']],
  ['The A is the oldest part of the system.', ['claim', 'A']],
  ['A are delivered by road.', ['claim', 'A']],
  ['A uses B for storage.', ['link', 'A', 'B']],
  ['A requires B before it starts.', ['link', 'A', 'B']],
  ['A contains B.', ['link', 'A', 'B']],
  ['A implements B, and little more.', ['link', 'A', 'B']],
  ['A supports B since March.', ['link', 'A', 'B']],
  ['A blocks B until Friday.', ['link', 'A', 'B']],
  ['B maintains A.', ['link', 'B', 'A']],
  ['B informs A every morning.', ['link', 'B', 'A']],
  ['- A must not be restarted by hand.', ['claim', 'A']],
  ['1. B should be paid in advance.', ['claim', 'B']],
  ['User: B is closed on holidays.', ['claim', 'B']],
  ['Assistant: A needs to be tested again.', ['claim', 'A']],
  ['Yesterday we moved A to another room.', null],
  ['We think A will be ready soon.', null],
  ['In spring A was replaced.', null],
  ['Most people prefer B.', null],
  ['A depends on B.', ['link', 'A', 'B']],
  ['A runs on B.', ['link', 'A', 'B']],
  ['A belongs to B.', ['link', 'A', 'B']],
  ['Is A ready?', null],
  ['If A is late, call us.', null],
  ['When B is down, wait.', null],
  ['Perhaps A should be smaller.', null],
  ['> A is broken, he wrote.', null],
  ['# A is the title', null],
  ['It must be done today.', null],
  ['They should try again.', null],
  ['Dinner is at eight.', null],
  ['The weather should improve.', null],
  ['Everyone uses a phone.', null],
  ['My sister needs to sleep.', null],
  ['That is fine with me.', null],
  ['Monday must stay free.', null],
  ['This requires some care.', null],
]

export const chinese: readonly Pattern[] = [
  ['A使用B。', ['link', 'A', 'B']],
  ['A依赖B。', ['link', 'A', 'B']],
  ['A包含B。', ['link', 'A', 'B']],
  ['A支持B。', ['link', 'A', 'B']],
  ['A需要使用B。', ['link', 'A', 'B']],
  ['B维护A。', ['link', 'B', 'A']],
  ['A必须每周备份一次。', ['claim', 'A']],
  ['A应该在两秒内回答。', ['claim', 'A']],
  ['A是最早的系统。', ['claim', 'A']],
  ['B应该先付款。', ['claim', 'B']],
  ['A运行在B上。', ['link', 'A', 'B']],
  ['A好用吗？', null],
  ['如果A太慢，请重启。', null],
  ['当B停机时，请等一等。', null],
  ['也许A应该更小。', null],
  ['他们应该再试一次。', null],
  ['我们昨天搬走了A。', null],
  ['今天是星期一。', null],
  ['天气应该会好。', null],
  ['大家都喜欢B。', null],
]
