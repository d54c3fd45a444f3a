import type { Frame } from '../language-table.ts'

const be = "am|'m|is|'s|are|'re"
const have = "have|has|'ve|'s"
const again = 'any_more|anymore|any_longer'
const decided = 'decided|agreed|chose|chosen|resolved|opted|elected|voted|committed|concluded'

/** Statements about changes, dependencies and decisions of projects. */
export const englishProjects: readonly Frame[] = [
  {
    rule: 'migrated_from',
    slot: undefined,
    fallback: 'uses',
    value: 'technology',
    change: 'from-to',
    isEvent: true,
    patterns: [
      `<WE>|<S> [${have}] ~ migrated|switched|ported|moved <P> [over] from <F> to <V>`,
      `<P> [${have}|was|has_been|is] ~ migrated|switched|ported|moved [over] from <F> to <V>`,
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
      `<WE>|<S> [${have}] ~ dropped|ditched|abandoned <F> for|in_favour_of|in_favor_of <V> in|for|on <P>`,
      '<P> ~ uses ~ <V> instead_of|rather_than|in_place_of <F>',
      `<P> [${have}] ~ ditched|dropped|replaced|swapped <F> for|with|by|in_favour_of <V>`,
      '<P> ~ runs ~ on <V> instead_of|rather_than|in_place_of <F>',
    ],
  },
  {
    rule: 'moved_on',
    slot: undefined,
    value: 'technology',
    change: 'from-to',
    isEvent: true,
    patterns: [
      `<WE> ~ ${be} ~ on <V> for|with <P>`,
      `<P> [${have}|was|has_been] ~ migrated|moved|switched|ported [over] to <V>`,
      `<WE>|<S> [${have}] ~ migrated|moved|switched|ported <P> [over] to <V>`,
    ],
  },
  {
    rule: 'depends_on',
    slot: 'depends_on',
    value: 'technology',
    patterns: [
      '<P> ~ depends|relies|builds ~ on|upon <V>',
      '<P> ~ requires <V>',
      '<P> ~ pulls in <V>',
      `<P> ~ ${be} ~ dependent on <V>`,
      `<P> has a ~ [hard] dependency on <V>`,
      '<P> ~ needs <V> to run|work|build|start',
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
    patterns: [
      '<P> ~ uses ~ <V>',
      `<P> ~ ${be} ~ using <V>`,
      '<P> ~ stores|persists <SKIP> in <V>',
    ],
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
      `<P> ~ ${be} no_longer [deployed|hosted|running] on <V>`,
      `<P> ~ isn't|is_not [deployed|hosted|running] on <V> ${again}`,
      `<P> [${have}] ~ moved|migrated off|away_from <V>`,
      `<WE> [${have}] ~ moved|migrated|took|taken <P> off|away_from <V>`,
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
      '[new|final|latest] decision|decisions|decided|agreed|resolution for|in|on|about|regarding <P> <COLON> <V>',
      `the ~ [final|latest|new] decision|plan_of_record|agreement|resolution for|in|on|about|regarding <P> ~ ${be} to <V>`,
      `it was|has_been|is ~ ${decided} ~ to <V> for|in|on|with|within <P>`,
      `for|in|on <P> it was|has_been|is ~ ${decided} ~ to <V>`,
      `<P> decision <COLON> <V>`,
      `<WE>|the_team|the_group [${have}] ~ ${decided} ~ to <V>`,
      `<WE> [${have}] ~ settled|agreed on <V> for|in <P>`,
      `the <P> team|group [${have}] ~ ${decided} ~ to <V>`,
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
