import type { Frame } from '../language-table.ts'

const be = "am|'m|is|'s|are|'re"
const have = "have|has|'ve|'s"
const again = 'any_more|anymore|any_longer'
const moved = 'moved|changed|switched|went|migrated|shifted|passed|transferred'
const set =
  'changed|moved|switched|set|bumped|raised|lowered|reduced|increased|updated|pushed|postponed|extended|renamed|reassigned'
const decided = 'decided|agreed|chose|chosen|resolved|opted|elected|voted|committed|concluded'

/** Statements about projects. */
export const englishProjects: readonly Frame[] = [
  {
    rule: 'alias',
    slot: 'alias',
    value: 'alias',
    patterns: [
      `<V> ~ ${be} ~ short|shorthand|an_abbreviation|the_abbreviation|the_short_form for|of <S>`,
      `<V> ~ ${be} ~ short|shorthand|an_abbreviation|the_abbreviation|the_short_form for|of <P>`,
      `<S> ~ ${be} ~ known as <V>`,
      `<P> ~ ${be} ~ known as <V>`,
      '<S> ~ goes by <V>',
    ],
  },
  {
    rule: 'written_in',
    slot: 'language',
    value: 'technology',
    patterns: [
      `<P> ~ ${be} ~ [being] written|implemented|coded|programmed ~ in <V>`,
      `<P> ~ ${be} ~ a|an <V> project|codebase|application|program`,
      `the code|codebase|source|source_code of|for|behind <P> ~ ${be} ~ [written] [in] <V>`,
      `<PS> code|codebase|source|source_code ~ ${be} ~ [written] [in] <V>`,
    ],
  },
  {
    rule: 'rewritten_in',
    slot: 'language',
    value: 'technology',
    change: 'set',
    isEvent: true,
    patterns: [
      `<WE>|<S> [${have}] ~ rewrote|rewritten|ported|reimplemented|translated <P> [from <F>] in|to|into <V>`,
      `<P> was|has_been|is|got ~ rewritten|ported|reimplemented|translated [from <F>] in|to|into <V>`,
    ],
  },
  {
    rule: 'deployed_on',
    slot: 'deployed_on',
    value: 'technology',
    patterns: [
      `<P> ~ ${be} ~ deployed|hosted|running ~ on|to|in|at|with|via <V>`,
      '<P> ~ runs|deploys ~ on|to <V>',
      `<WE> ~ deploy|host|run|ship|operate <P> ~ on|to|at|with|in|via <V>`,
      '<V> ~ hosts|runs <P>',
    ],
  },
  {
    rule: 'owned_by',
    slot: 'owner',
    value: 'person',
    patterns: [
      `<P> ~ ${be} ~ owned by <V>`,
      '<P> ~ belongs to <V>',
      '<V> ~ owns <P>',
      `<V> ~ ${be} ~ the [current|new|sole] owner of|for <P>`,
    ],
  },
  {
    rule: 'owner_changed',
    slot: 'owner',
    value: 'person',
    change: 'set',
    isEvent: true,
    patterns: [
      `ownership|the_ownership of|for <P> [${have}|was] ~ ${moved}|handed_over|handed [over] [from <F>] to <V>`,
      `<V> [${have}] ~ taken|took over [the] [ownership_of] <P> [from <F>]`,
      `<V> [${have}] ~ taken|took [over] ownership_of <P> [from <F>]`,
      `<F> [${have}] ~ handed|passed|transferred [the] [ownership_of] <P> [over|on] to <V>`,
      `<F> [${have}] ~ handed over <P> to <V>`,
      `<P> [${have}|was] ~ ${moved}|handed [over] from <F> to <V>`,
    ],
  },
  {
    rule: 'listens_on',
    slot: 'port',
    value: 'property',
    patterns: [
      '<P> ~ listens|runs|serves|answers ~ on port <V>',
      `<P> ~ ${be} ~ listening|running|reachable|available ~ on|at port <V>`,
    ],
  },
  {
    rule: 'due',
    slot: 'deadline',
    value: 'property',
    patterns: [`<P> ~ ${be} ~ due ~ on|by|at|in [the] <V>`, '<P> has a deadline of|on <V>'],
  },
  {
    rule: 'noun',
    slot: 'noun',
    value: 'property',
    patterns: [
      `the ^ <N> of|for|on|in <P> ~ ${be}|remains|stays ~ [set_to|at] <V>`,
      `the ^ <N> that|which <P> uses ~ ${be} ~ <V>`,
      `<PS> ^ <N> ~ ${be}|remains|stays ~ [set_to] <V>`,
      `the <P> <N> ~ ${be}|remains|stays ~ <V>`,
      '<P> ~ uses|has|runs_on <V> as ~ [its|the|a] ^ <N>',
      '<P> ~ uses|runs_on <V> for its ^ <N>',
      `as|for its|the <N> <P> ~ uses ~ <V>`,
      `for|in|on <P> ~ the ^ <N> ~ ${be} ~ <V>`,
      `<V> ~ ${be}|remains|stays ~ the ^ <N> of|for|on|in <P>`,
      `<V> ~ ${be}|remains|stays ~ <PS> ^ <N>`,
      `<WE> ~ use|have|run <V> as the ^ <N> of|for|in <P>`,
      '<P> ~ has a|an <N> of <V>',
    ],
  },
  {
    rule: 'database',
    slot: 'database',
    value: 'technology',
    patterns: [
      '<P> ~ stores|keeps|saves|persists ~ its|all|the [its] data ~ in|on <V>',
      `<P> ~ ${be} ~ backed by <V>`,
    ],
  },
  {
    rule: 'noun_changed',
    slot: 'noun',
    value: 'property',
    change: 'set',
    isEvent: true,
    patterns: [
      `the ^ <N> of|for|on|in <P> [${have}|was|were|has_been|got] ~ ${moved}|${set} [over] from <F> to <V>`,
      `the ^ <N> of|for|on|in <P> [${have}|was|were|has_been|got] ~ ${moved}|${set} to <V>`,
      `<PS> ^ <N> [${have}|was|were|has_been|got] ~ ${moved}|${set} [over] from <F> to <V>`,
      `<PS> ^ <N> [${have}|was|were|has_been|got] ~ ${moved}|${set} to <V>`,
      `<P> [${have}] ~ ${moved}|${set}|replaced its ^ <N> [over] from <F> to <V>`,
      `<P> [${have}] ~ ${moved}|${set} its ^ <N> to <V>`,
      `<WE>|<S> [${have}] ~ ${set}|migrated|replaced the ^ <N> of|for|on|in <P> [over] from <F> to <V>`,
      `<WE>|<S> [${have}] ~ ${set}|migrated the ^ <N> of|for|on|in <P> to <V>`,
      `<WE>|<S> [${have}] ~ ${set}|migrated|replaced <PS> ^ <N> [over] from <F> to <V>`,
      `<WE>|<S> [${have}] ~ ${set}|migrated <PS> ^ <N> to <V>`,
      `<V> [${have}] ~ replaced|replaces <F> as the ^ <N> of|for|in <P>`,
      `<WE>|<S> [${have}] ~ replaced <F> with|by <V> as the ^ <N> of|for|in <P>`,
    ],
  },
  {
    rule: 'migrated',
    slot: undefined,
    value: 'property',
    change: 'from-to',
    isEvent: true,
    patterns: [
      `<WE>|<S> [${have}] ~ migrated|moved|switched|ported|converted|transferred <P> [over] from <F> to <V>`,
      `<P> [${have}|was|has_been|is] ~ migrated|moved|switched|ported|converted|transferred [over] from <F> to <V>`,
      `<WE>|<S> [${have}] ~ replaced|swapped <F> with|by|for <V> in|for|on <P>`,
      `in <P> ~ <WE>|<S> [${have}] ~ replaced|swapped <F> with|by|for <V>`,
    ],
  },
  {
    rule: 'depends_on',
    slot: 'depends_on',
    value: 'technology',
    patterns: [
      '<P> ~ depends|relies|builds ~ on|upon <V>',
      '<P> ~ requires <V>',
      `<P> ~ ${be} ~ dependent on <V>`,
      `<P> has a ~ [hard] dependency on <V>`,
      `<V> ~ ${be} a ~ [hard|required] dependency of <P>`,
    ],
  },
  {
    rule: 'depends_no_longer',
    slot: 'depends_on',
    value: 'technology',
    change: 'end',
    isEvent: true,
    patterns: [
      '<P> ~ no_longer depends|relies on|upon <V>',
      '<P> ~ no_longer requires|needs <V>',
      `<P> ~ doesn't|does_not depend_on|rely_on|require|need <V> ${again}`,
      `<WE>|<S> [${have}] ~ removed|dropped [the] <V> [dependency] from <P>`,
      `<P> [${have}] ~ dropped [its|the] [dependency_on] <V>`,
    ],
  },
  {
    rule: 'project_uses',
    slot: 'uses',
    value: 'technology',
    patterns: ['<P> ~ uses ~ <V>', `<P> ~ ${be} ~ using <V>`],
  },
  {
    rule: 'project_uses_no_longer',
    slot: undefined,
    value: 'technology',
    change: 'end',
    isEvent: true,
    patterns: [
      '<P> ~ no_longer uses <V>',
      `<P> ~ doesn't|does_not use <V> ${again}`,
      `<P> ~ ${be} no_longer deployed|hosted|running on <V>`,
      `<P> ~ no_longer runs on <V>`,
    ],
  },
  {
    rule: 'decision',
    slot: 'decision',
    value: 'decision',
    patterns: [
      `<WE>|the_team|the_group [${have}] ~ ${decided} ~ to <V> for|in|on|with|within|at <P>`,
      `for|in|on|within|at|regarding|concerning <P> ~ <WE>|the_team|the_group [${have}] ~ ${decided} ~ to <V>`,
      'decision|decisions|decided|agreed|resolution for|in|on|about|regarding <P> <COLON> <V>',
      `the ~ [final|latest|new] decision|plan_of_record|agreement|resolution for|in|on|about|regarding <P> ~ ${be} to <V>`,
      `it was|has_been|is ~ ${decided} ~ to <V> for|in|on|with|within <P>`,
      `for|in|on <P> it was|has_been|is ~ ${decided} ~ to <V>`,
      `<P> decision <COLON> <V>`,
      `<WE>|the_team|the_group [${have}] ~ ${decided} ~ to <V>`,
    ],
  },
  {
    rule: 'decision_reversed',
    slot: 'decision',
    value: 'decision',
    change: 'end',
    isEvent: true,
    patterns: [
      `<WE> [${have}] ~ reversed|dropped|cancelled|canceled|reverted|withdrew|withdrawn|scrapped|abandoned|undid|undone|revoked|overturned|rescinded|dismissed the|our decision to <V> for|in|on|with|within|at <P>`,
      `for|in|on <P> ~ <WE> [${have}] ~ reversed|dropped|cancelled|canceled|reverted|withdrew|scrapped|abandoned|undid|revoked|overturned|rescinded the|our decision to <V>`,
      `the decision to <V> for|in|on|with|within|at <P> was|is|has_been ~ reversed|dropped|cancelled|canceled|reverted|withdrawn|scrapped|abandoned|undone|revoked|overturned|rescinded|off_the_table`,
      `the <P> decision to <V> was|is|has_been ~ reversed|dropped|cancelled|canceled|reverted|withdrawn|scrapped|abandoned|undone|revoked|overturned|rescinded|off_the_table`,
    ],
  },
]
