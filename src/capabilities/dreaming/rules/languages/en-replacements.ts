import type { Frame } from '../language-table.ts'

const be = "is|'s|are|'re"
const have = "have|has|'ve|'s"
const was = 'was|were|has_been|have_been|got|is|are'
const anyMore = 'any_more|anymore|any_longer'
const instead = 'instead|now|these_days|there|nowadays'

/** Verbs of what goes; a pattern adds `out` behind the object where they need it. */
const out =
  'retired|dropped|ditched|removed|scrapped|binned|abandoned|axed|killed|dumped|decommissioned|phased_out|threw_out|thrown_out|ripped_out|tore_out|torn_out|took_out|taken_out|kicked_out|got_rid_of|gotten_rid_of|gave_up|given_up|uninstalled|deleted|left|quit|discontinued|sunset'
const splitOut = 'took|taken|pulled|ripped|tore|torn|moved|threw|thrown|kicked|cut|stripped|lifted'
/** Verbs of what comes. */
const into =
  'brought_in|put_in|put|adopted|introduced|installed|chose|picked|picked_up|took|took_on|went_with|went_for|opted_for|settled_on|settled_for|moved_to|switched_to|use|uses|now_use|now_uses|added|deployed|rolled_out|swapped_in|plugged_in|started_using|replaced_it_with|replaced_it_by|swapped_it_for|moved_over_to'
const team = 'team|group|crew|squad|people|folks|maintainers|developers|devs'
const place = 'in|on|for|with|at|under|behind|inside|within|across'

/** Replacements that name the project, or nothing, behind the values. */
export const englishReplacements: readonly Frame[] = [
  {
    rule: 'exchanged',
    slot: undefined,
    value: 'property',
    change: 'from-to',
    isEvent: true,
    patterns: [
      `<WE>|<S>|<ME> [${have}] ~ exchanged|traded|traded_in|swapped_out|switched_out|substituted <F> for|with|by <V> ${place} <P>`,
      `<WE>|<S>|<ME> [${have}] ~ swapped|replaced <F> for|with|by <V> ${place} <P>`,
      `${place} <P> ~ <WE>|<S> [${have}] ~ exchanged|traded|swapped|substituted|replaced|switched <F> for|with|by|to <V>`,
      `the <P> ${team} [${have}] ~ exchanged|traded|swapped|substituted|replaced|ditched|dropped|retired|abandoned|left <F> for|with|by|in_favour_of|in_favor_of <V>`,
      `<WE>|<S>|<ME> [${have}] ~ ${out} <F> and|, ~ ${into} <V> ${place} <P>`,
      `<WE>|<S>|<ME> [${have}] ~ ${out} <F> ${place} <P> and|, ~ ${into} <V>`,
      `${place} <P> ~ <WE>|<S> [${have}] ~ ${out} <F> and|, ~ ${into} <V>`,
      `the <P> ${team} [${have}] ~ ${out} <F> and|, ~ ${into} <V>`,
      `<WE>|<S>|<ME> [${have}] ~ ${splitOut} <F> out_of|off|from <P> and|, ~ ${into} <V>`,
      `<P> [${have}] ~ ${out} <F> and|, ~ ${into} <V>`,
      `<F> [${was}] ~ taken|pulled|removed|stripped|ripped|thrown|kicked [out] of|from <P> and ~ replaced by|with <V>`,
      `<F> [${was}] ~ exchanged|swapped|swapped_out|switched_out|traded|traded_in for|with <V> ${place} <P>`,
      `${place} <P> , ~ <F> [${was}] ~ exchanged|swapped|swapped_out|replaced|traded for|with|by <V>`,
    ],
  },
  {
    rule: 'exchanged',
    slot: undefined,
    value: 'technology',
    change: 'from-to',
    isEvent: true,
    patterns: [
      `${place} <P> ~ <WE> no_longer use|have|need|run <F> but ~ <V>`,
      `<P> ~ no_longer uses|needs|has|runs|runs_on|requires <F> but ~ [uses|on] <V>`,
      `<P> ~ no_longer uses|needs|has|runs|runs_on|requires <F> , ~ <V> instead`,
      `<WE> no_longer use|have|run <F> ${place} <P> but ~ <V>`,
      `<WE> no_longer use|have|run <F> ${place} <P> , ~ <V> ${instead}`,
    ],
  },
  {
    rule: 'exchanged',
    slot: undefined,
    fallback: 'uses',
    value: 'tool',
    change: 'from-to',
    isEvent: true,
    patterns: [
      `<S> ~ no_longer use|uses|work_with|works_with <F> but ~ <V>`,
      `<S> ~ don't|do_not|doesn't|does_not ~ use <F> ${anyMore} but ~ <V>`,
      `<S> [${have}] ~ ${out} <F> and|, ~ started_using|went_with|moved_to|switched_to|use|uses|now_use|took_up <V>`,
    ],
  },
  {
    rule: 'employer_exchanged',
    slot: 'works_at',
    value: 'company',
    change: 'set',
    isEvent: true,
    needsFrom: true,
    patterns: [
      `<S> [${have}] ~ left|quit|resigned_from <F> and|, ~ [just] started|began|signed_on|signed ~ at|with <V>`,
      `<S> [${have}] ~ left|quit|resigned_from <F> and|, ~ joined <V>`,
    ],
  },
  {
    rule: 'owned_now',
    slot: 'owner',
    value: 'person',
    change: 'set',
    isEvent: true,
    needsFrom: true,
    patterns: ['<V> ~ picks_up|inherits|adopts|takes_on|takes|assumes <P> ~ [over] from <F>'],
  },
  {
    rule: 'gone',
    slot: undefined,
    value: 'property',
    change: 'end',
    isEvent: true,
    patterns: [
      `<V> [${was}] ~ taken|pulled|stripped|ripped|thrown|kicked|cut|cleaned [out] of|from <P>`,
      `<V> ~ ${be} ~ out|gone of|from <P> ~ $`,
      `the dependency|reliance of <P> on <V> [${was}] ~ removed|dropped|cut|ended|eliminated|resolved|broken`,
      `<P> [${have}] ~ lost|dropped|shed|removed|got_rid_of its <V> dependency|integration|requirement ~ $`,
      `<PS> dependency|reliance on <V> [${was}] ~ removed|dropped|cut|ended|eliminated|broken`,
      `<WE>|<S> [${have}] ~ gave|given|threw|thrown|ripped|kicked|tore|took <V> up|out ${place} <P>`,
    ],
  },
  {
    rule: 'gave_up',
    slot: undefined,
    value: 'tool',
    change: 'end',
    isEvent: true,
    patterns: [
      `<S> [${have}] ~ gave|given <V> up ~ [for_good|altogether|entirely] $`,
      `<S> [${have}] ~ threw|thrown|kicked|chucked <V> out ~ $`,
      `<S> [${have}] ~ left <V> behind ~ [me] $`,
      `<S> [${have}] ~ let <V> go ~ $`,
      `<V> ~ ${be} no_longer something|a_thing|a_tool|an_app <S> use|uses|need|needs`,
      `<ME> <V> ~ ${be} not|no_longer ~ in_use|in_my_toolbox|on_my_machine|part_of_my_setup [${anyMore}]`,
    ],
  },
  {
    rule: 'prefers_no_longer',
    slot: 'prefers',
    value: 'phrase',
    change: 'end',
    patterns: [`<S> ~ am|'m|${be} ~ done|finished|through with <V>`],
  },
  {
    rule: 'decision_reversed',
    unless: 'yet, for now, this time, this week, this sprint',
    slot: 'decision',
    value: 'decision',
    change: 'end',
    isEvent: true,
    patterns: [
      `<WE>|the_team [${have}] ~ decided|agreed|chose|voted|resolved|opted ~ not to <V> ${place} <P>`,
      `${place} <P> ~ <WE>|the_team [${have}] ~ decided|agreed|chose|voted|resolved|opted ~ not to <V>`,
      `the <P> team|group [${have}] ~ decided|agreed|chose|voted|resolved ~ not to <V>`,
      `it was|has_been ~ decided|agreed ~ not to <V> ${place} <P>`,
      `the decision|plan|agreement to <V> ${place} <P> was|has_been ~ dropped|struck|repealed|lifted|undone|set_aside|recalled|nullified`,
    ],
  },
  {
    rule: 'decision_reversed',
    slot: 'decision',
    value: 'decision',
    change: 'end',
    isEvent: true,
    after:
      'change of plan, change of plans, plans changed, plans have changed, decision revoked, decision reversed, decision withdrawn, decision cancelled, decided against it, decided against that, decided against this, changed our minds, changed our mind, change of heart, had second thoughts, on second thought, scratch that plan',
    patterns: [`<WE>|the_team ~ won't|will_not|don't|do_not|are_not_going_to <V> ${place} <P>`],
  },
]
