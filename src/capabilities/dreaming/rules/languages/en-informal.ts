import type { Frame } from '../language-table.ts'

const be = "is|'s|are|'re|am|'m"
const have = "have|has|'ve|'s"

/** Statements in informal words. */
export const informalEnglish: readonly Frame[] = [
  {
    rule: 'decision',
    slot: 'decision',
    value: 'decision',
    patterns: [
      `for|in|on|with <P> <WE>|the_team [${have}] ~ settled|agreed|decided [on] this|it|that|the_following <COLON> <V>`,
      `in|at|during the|our|todays|yesterdays <P> meeting|sync|call|review|retro|planning|standup|workshop <WE>|the_team [${have}] ~ agreed|decided|resolved|chose to <V>`,
      `[our|the] team|group|joint|official|new|final decision|agreement|resolution for|in|on|about <P> <COLON> <V>`,
      `<WE>|the_team [${have}] ~ made|took|taken the|a call|choice|decision to <V> in|for|on|with <P>`,
      `<WE>|the_team [${have}] ~ made_up_our_minds|agreed_as_a_team to <V> in|for|on|with <P>`,
      `it was|is ~ settled|agreed|decided that <WE> [will] <V> in|for|on|with <P>`,
      `for|in|on <P> the ~ decision|plan|agreement ~ ${be} to <V>`,
      `it ${be} ~ settled|official|final|a_done_deal <COLON>|, [for|in|on] <P> will|is_going_to <V>`,
    ],
  },
  {
    rule: 'decision_reversed',
    slot: 'decision',
    value: 'decision',
    change: 'end',
    isEvent: true,
    patterns: [
      `the ~ decision|plan|agreement to <V> in|for|on|with <P> ~ ${be} ~ off|off_the_table|void|dead|history|no_longer_valid`,
      `<WE> [${have}] ~ backed_out_of|backed_away_from|walked_back|taken_back|given_up_on|gave_up_on the ~ decision|plan|agreement to <V> in|for|on|with <P>`,
      "<WE> ~ won't|will_not|are_not_going_to ~ <V> in|for|on|with <P> after_all",
    ],
  },
  {
    rule: 'made_of',
    slot: 'class',
    value: 'technology',
    patterns: [
      `<P> ~ ${be} ~ all|pure|entirely|completely|straight|plain|mostly [in] <V> under_the_hood|underneath|inside|throughout|through_and_through|top_to_bottom|code`,
      `<P> ~ ${be} ~ sitting|living|running|staying ~ on|in|at|with <V>`,
      `<P> ~ has|keeps|gets|finds ~ its home|place ~ on|at|with <V>`,
    ],
  },
  {
    rule: 'lives_in',
    slot: 'lives_in',
    value: 'place',
    patterns: [
      '<S> ~ live|lives ~ over|up|down|out|back|away in <V>',
      '<S> ~ rent|rents|own|owns|have|has a|an|my|our ~ [small|little|tiny|big|nice] flat|apartment|house|place|home|cottage ~ in <V>',
      `<SS> ~ [new|current] place|home|digs|flat|apartment|house ~ ${be} ~ over|up|down|out in <V>`,
      'greetings|hello|hi from <V> , where <S> ~ live|lives',
    ],
  },
  {
    rule: 'works_at',
    slot: 'works_at',
    value: 'organization',
    patterns: [
      `<SS> ~ day|main|regular|current|actual job ~ ${be} ~ at|with <V>`,
      `<S> ~ earn|earns|make|makes my|his|her|their money|bread|living|keep ~ at|with <V>`,
      `<S> ~ spend|spends my|his|her|their working|work days|hours|day|week ~ at|with <V>`,
    ],
  },
  {
    rule: 'employer',
    slot: 'works_at',
    value: 'organization',
    patterns: [
      `<S> ~ ${be} ~ a|an <V> employee|worker|staffer`,
      `<S> ~ ${be} ~ an employee|worker of|at|with <V>`,
      '<V> ~ pays <SS> ~ salary|wages|wage|bills',
      `<SS> ~ work ~ ${be} ~ at|with <V>`,
    ],
  },
  {
    rule: 'changed_employers',
    slot: 'works_at',
    value: 'company',
    change: 'set',
    isEvent: true,
    patterns: [
      `<S> [${have}] ~ changed|switched employers|jobs|companies , from <F> to <V>`,
      `having left <F> , <S> ~ work|works|am|'m ~ at|for|with <V>`,
    ],
  },
  {
    rule: 'due',
    slot: 'deadline',
    value: 'date',
    patterns: [
      `<P> ~ ${be} ~ expected|wanted|needed|promised ~ by|on|for|before [the] <V>`,
      '<P> ~ must|has_to|needs_to ~ be_out|go_out ~ by|before|on [the] <V>',
    ],
  },
  {
    rule: 'instance_port',
    slot: 'staging_port',
    value: 'number',
    patterns: [
      'the|our staging <P> instance|server ~ uses|has|takes ~ port <V>',
      'the|our staging instance|server of|for <P> ~ uses|has|takes ~ port <V>',
    ],
  },
  {
    rule: 'instance_port',
    slot: 'production_port',
    value: 'number',
    patterns: [
      'the|our live|production <P> instance|server ~ uses|has|takes ~ port <V>',
      'the|our live|production instance|server of|for <P> ~ uses|has|takes ~ port <V>',
    ],
  },
  {
    rule: 'prefers',
    slot: 'prefers',
    value: 'phrase',
    patterns: [`<S> ${have} ~ preferred <V>`],
  },
  {
    rule: 'codes_in',
    slot: 'class',
    fallback: 'uses',
    value: 'tool',
    patterns: [
      '<S> ~ code|program|edit|codes|programs|edits ~ in|with <V>',
      '<S> ~ write|writes|edit|edits [all] [of] [my|his|her|their|the] code|scripts|programs ~ in|with <V>',
      '<S> ~ do|does all my|his|her|their coding|programming|editing ~ in|with <V>',
    ],
  },
  {
    rule: 'prefers_no_longer',
    slot: 'prefers',
    value: 'phrase',
    change: 'end',
    patterns: [
      "<ME> <V> ~ isn't|aren't|is_not|are_not ~ for me any_more|anymore|any_longer",
      `<ME> <V> ~ ${be} no_longer ~ for_me|to_my_taste|my_taste|my_thing|my_cup_of_tea`,
      `<S> ${be}|${have} ~ lost_interest_in|lost_my_love_for|sick_of|tired_of|fed_up_with|bored_of|bored_with|over <V>`,
      "<S> can't|cannot|can_not stand|bear|take <V> any_more|anymore|any_longer",
    ],
  },
]
