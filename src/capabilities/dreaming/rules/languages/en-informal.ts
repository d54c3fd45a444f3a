import type { Frame } from '../language-table.ts'

const be = "is|'s|are|'re|am|'m"
const have = "have|has|'ve|'s"
const throughout =
  'all_the_way|throughout|top_to_bottom|through_and_through|end_to_end|everywhere|only|now'

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
      `it ${be} ~ settled|official|final|decided|agreed|a_done_deal <COLON>|, [that] <WE> <V> in|for|on|with <P>`,
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
      "<WE> ~ won't|will_not|don't|do_not|are_not_going_to ~ <V> in|for|on|with <P> after_all|any_more|anymore|any_longer",
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
      `<P> ~ ${be} ~ all|pure|entirely|completely|strictly|solely|purely|fully [in] <V> ~ $`,
      `<WE> ~ do|doing <P> ~ in|with <V>`,
      `<P> ~ consists ~ of <V>`,
      `<V> ~ ${be} what <P> ~ uses|has|runs_on|is_built_on|relies_on ~ as|for [a|an|its|the] ~ database|language|host|storage|hosting|backend`,
      `<V> ~ ${be} what <P> ~ is written|implemented|coded|hosted|deployed in|on|with`,
      `what <P> ~ uses|has|runs_on ~ as|for [a|an|its|the] database|language|host|storage|hosting|backend ~ ${be} <V>`,
    ],
  },
  {
    rule: 'made_of_now',
    slot: 'class',
    value: 'technology',
    change: 'set',
    isEvent: true,
    patterns: [
      `[the] rewrite|port|migration|conversion|move of <P> ~ ${be}|has_been ~ done|finished|complete|completed|live|merged|shipped|over , [it ${be}] ~ [all] <V> ${throughout}`,
      `[the] rewrite|port|migration|conversion|move of <P> ~ ${be}|has_been ~ done|finished|complete|completed|live|merged|shipped|over , it ${be} ~ [all|on|in] <V>`,
      `the ^ rewrite|port|migration|conversion|move|switch|transition of <P> [from <F>] to|in|into|onto <V> ~ ${be}|has_been|was ~ merged|live|shipped|released|landed|deployed|done|finished|completed ~ $`,
      `as_of|since|from|starting <SKIP> ~ <P> ~ ${be} ~ [all|pure|entirely] [in|on|with|at] <V>`,
      `<P> ~ ${be} ~ all|pure|entirely|completely|fully <V> ${throughout}`,
      `<P> ~ ${be} ! [all|pure|entirely] <V> ~ $`,
      `the code|database|db|host|hosting of|for|behind <P> was ~ exchanged|swapped|swapped_out|switched_out for <V>`,
    ],
  },
  {
    rule: 'noun_renewed',
    slot: 'noun',
    value: 'property',
    change: 'set',
    isEvent: true,
    patterns: [
      `[the] ^ <K> of|for|behind <P> [was|were|has_been|got] ~ swapped|swapped_out|exchanged|traded|switched_out for|with <V>`,
      `<WE>|<S> [have|has|'ve] ~ agreed|settled on a new <K> for|of <P> <COLON>|, <V>`,
      `<WE>|<S> [have|has|'ve] ~ agreed|settled with <SKIP> on a new <K> for|of <P> <COLON>|, <V>`,
      `there ${be} ~ a new <K> for|of <P> <COLON>|, [it ${be}] <V>`,
      `<IT> the|our|its new|current|revised|updated <K> ~ ${be}|<COLON> ~ <V>`,
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
      '<ME> <V> ~ employs me',
      `<SS> ~ work ~ ${be} ~ at|with <V>`,
      `<S> ~ ${be} ~ at|with <V> ~ by_day|day_job|for_a_living|nine_to_five|as_a_day_job|for_my_day_job`,
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
    patterns: [
      `<S> ${have} ~ preferred <V>`,
      "<S> ~ 'd ~ rather|sooner ~ have|take <V> ~ always|any_day|any_time|every_time",
      '<ME> big|huge|great fan of <V>',
      `<ME> <V> ~ ${be} what i ~ prefer ~ $`,
      `<ME> <V> ~ ${be} my ^ preference ~ $`,
      `<S> ~ ${be} ~ fond of <V>`,
      `<S> ~ ${be} ~ a big|huge|great|lifelong fan of <V>`,
    ],
  },
  {
    rule: 'allergic_to',
    slot: 'allergic_to',
    value: 'allergen',
    patterns: [`<ME> <V> allergy here`, `<ME> allergic to <V> here`],
  },
  {
    rule: 'uses',
    slot: 'uses',
    value: 'tool',
    patterns: [
      `<ME> <V> ~ ${be} my ^ tool|app|companion ~ $`,
      '<S> ~ manage|manages|organise|organises|organize|organizes|plan|plans|track|tracks|keep|keeps ~ [all] my|his|her|their tasks|todos|notes|calendar ~ in|with <V>',
      '<S> ~ manage|organise|organize|plan|track everything in|with <V>',
    ],
  },
  {
    rule: 'uses_noun',
    slot: 'noun',
    value: 'property',
    patterns: [`<ME> <V> ~ ${be} the <N> i ~ use ~ $`],
  },
  {
    rule: 'codes_in',
    slot: 'class',
    fallback: 'uses',
    value: 'tool',
    patterns: [
      '<S> ~ code|program|edit|codes|programs|edits ~ in|with <V>',
      '<S> ~ write|writes|edit|edits [all] [of] [my|his|her|their|the] code|scripts|programs ~ in|with <V>',
      '<S> ~ do|does [all] my|his|her|their coding|programming|editing ~ in|with <V>',
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
