import type { Frame } from '../language-table.ts'

const be = "is|'s|are|'re"
const have = "have|has|'ve|'s"
const holds = 'lives|live|sits|sit|resides|rests|stands|goes|go|ends_up|stays'
const stored = 'stored|kept|saved|held|persisted|hosted|written'
const kind =
  'app|application|program|project|service|codebase|code|tool|database|system|deployment|shop|affair'

/** What a project is made of: the well-known name says which slot it is. */
export const englishStack: readonly Frame[] = [
  {
    rule: 'made_of',
    slot: 'class',
    value: 'technology',
    patterns: [
      `<P> ~ ${be} ~ [a|an|all|pure|plain|mostly] <V> ${kind}`,
      `<P> ~ ${be} ~ [all|pure|plain|mostly|entirely] <V> ~ $`,
      `under_the_hood|underneath|at_its_core|inside [,] <P> ~ ${be}|uses|runs [on] <V>`,
      `<P> ~ ${holds}|operates|executes|works ~ on|in|with|at|upon|atop|inside <V>`,
      `<P> ~ ${be} ~ live|up|available|reachable|served|powered|backed|driven|operated ~ on|at|from|by|with|via <V>`,
      `[all|all_the|the] data|records|tables|documents|state|rows of|in|for|from <P> ~ ${holds} ~ in|on|into|inside <V>`,
      `[all|all_the|the] data|records|tables|documents|state|rows of|in|for|from <P> ~ ${be} ~ [${stored}] ~ in|on|inside <V>`,
      `<PS> data|records|tables|documents|state|rows ~ ${holds} ~ in|on|into|inside <V>`,
      `<PS> data|records|tables|documents|state|rows ~ ${be} ~ [${stored}] ~ in|on|inside <V>`,
      `<P> ~ stores|keeps|persists|saves|holds|puts ~ everything|it_all|[all_its|all_the|all|its|the] ~ [data|state|records|rows] ~ in|on|to|into <V>`,
      `<P> ~ talks|connects|writes ~ to a|an|its <V> [database|cluster|instance]`,
      `our|the ^ host|hoster|hosting|provider|cloud|platform|home|database|db|language of|for|behind|under <P> ~ ${be} ~ <V>`,
      `you|one|we can|will find|reach <P> ~ on|at <V>`,
      `<P> ~ has <V> underneath|under_the_hood|behind_it|inside|at_its_core`,
      `<WE> ~ use|have|run|chose|picked|took ~ <V> for|behind|under|underneath <P>`,
      `<WE> [${have}] ~ <P> running|hosted|deployed ~ on|at|with|in <V>`,
      `the servers|machines|instances of|for <P> ~ ${be} ~ at|on|with|in <V>`,
      `all_of|the_whole_of|most_of <P> ~ ${be} ~ [written|done|coded] [in] <V>`,
      `for storage|persistence|data|hosting <P> ~ uses|has|relies_on|takes <V>`,
      `<P> ~ runs|sits|works ~ on_top_of|against|with a|an <V> database|cluster|instance`,
      `<P> ~ writes|saves|commits ~ [its_data|everything] to <V>`,
      `<WE> ~ develop|write|code|build|maintain|program|implement <P> ~ in|with <V>`,
    ],
  },
  {
    rule: 'made_of_now',
    slot: 'class',
    value: 'technology',
    change: 'set',
    isEvent: true,
    patterns: [
      `the ^ rewrite|port|migration|move|switch|transition of <P> [from <F>] to|in|into|onto <V> ~ ${be} ~ done|complete|completed|finished|over|through`,
      `<WE>|<S> [${have}] ~ finished|completed|done the ^ rewrite|port|migration|move|switch|transition of <P> [from <F>] to|in|into|onto <V>`,
      `<WE>|<S> [${have}] ~ finished|completed|done porting|rewriting|migrating|moving|switching <P> [over] [from <F>] to|in|into|onto <V>`,
      `<WE>|<S> [${have}] ~ moved|shifted|switched|ported|converted|transferred|translated [the] <P>|<PS> code|codebase|data|database|hosting|deployment [over] [from <F>] to|in|into|onto <V>`,
      `<WE>|<S> [${have}] ~ moved|shifted|switched|ported|converted|transferred|translated the code|codebase|data|database|hosting|deployment of|for|behind <P> [over] [from <F>] to|in|into|onto <V>`,
      `<WE>|<S> [${have}] ~ shifted|lifted|pulled|taken|took|moved|brought <P> [off] [from] [<F>] [and] onto|over_to <V>`,
      `<WE>|<S> [${have}] ~ replaced|swapped|exchanged the <F> code|database|hosting|deployment of|in|for|behind <P> with|by|for <V>`,
      `<P> ~ no_longer ~ uses|runs_on|needs|is_written_in|is_on <F> , it [${be}|now] ~ [written_in|hosted_on|running_on|runs_on|uses|on|in|with] <V>`,
      `<P> ~ writes|talks|saves ~ to <V> instead_of|rather_than|and_no_longer [to] <F>`,
      `<WE>|<S> [${have}] ~ dropped|ditched|abandoned|left <F> in|for|with <P> and ~ went_with|moved_to|chose|took|picked|switched_to|use|now_use <V>`,
      `<F> ~ ${be} ~ gone|out|removed|history from|of|in|for <P> , [and] <WE> ~ use|have|run ~ <V> [there|instead|now]`,
      `the new|latest|current version|release of <P> ~ ${be} ~ [written|implemented] in <V>`,
      `<P> [${have}] ~ switched|changed languages|databases|hosts|hosting|providers <COLON>|, [it] [${be}] ~ <V>`,
      `hosting for|of <P> [${have}] ~ changed|moved|switched [from <F>] to <V>`,
      `<P> [${have}] ~ left|dropped|quit <F> and ${be}|runs|sits|lives ~ on|in|at|with <V>`,
      `<V> [${have}] ~ replaced|replaces <F> as [the] ^ <N> of|for|behind|in|under <P>`,
    ],
  },
  {
    rule: 'built_on',
    slot: 'class',
    value: 'technology',
    fallback: 'depends_on',
    patterns: [
      `<P> ~ ${be} ~ built|based ~ on|upon|around|on_top_of <V>`,
      `<P> ~ sits|builds ~ on_top_of|upon <V>`,
      '<P> ~ needs <V>',
      '<P> ~ makes_use_of|leans_on|calls_into <V>',
      `<V> ~ ${be} ~ required|needed|used by <P>`,
      "without <V> [,] <P> ~ does_not|doesn't|won't|will_not|cannot|can't ~ start|run|work|boot|build|function",
      'without <V> [,] <P> ~ is|does ~ nothing|useless|dead|broken',
    ],
  },
  {
    rule: 'instance_port',
    slot: 'production_port',
    value: 'number',
    patterns: [
      `[the] production|prod|live instance|deployment|environment|server|copy|installation of|for <P> [${have}|was] ~ moved|switched|changed [over] to port <V>`,
      `[the] production|prod|live instance|deployment|environment|server|copy|installation of|for <P> ~ listens|runs|answers|serves|${be} ~ on|at [port] <V>`,
      `port <V> ~ ${be} ~ the production|prod|live port of|for <P>`,
      `the port of|for <P> in|on|for production|prod ~ ${be} ~ <V>`,
      `in|on|for production|prod <P> [${have}] ~ moved|switched|changed|gone [over] to [port] <V>`,
    ],
  },
  {
    rule: 'instance_port',
    slot: 'staging_port',
    value: 'number',
    patterns: [
      `[the] staging instance|deployment|environment|server|copy|installation of|for <P> [${have}|was] ~ moved|switched|changed [over] to port <V>`,
      `[the] staging instance|deployment|environment|server|copy|installation of|for <P> ~ listens|runs|answers|serves|${be} ~ on|at [port] <V>`,
      `port <V> ~ ${be} ~ the staging port of|for <P>`,
      `the port of|for <P> in|on|for staging ~ ${be} ~ <V>`,
      `in|on|for staging <P> [${have}] ~ moved|switched|changed|gone [over] to [port] <V>`,
    ],
  },
  {
    rule: 'due',
    slot: 'deadline',
    value: 'date',
    patterns: [
      `<WE> ~ have_to|must|need_to ~ ship|deliver|finish|release|complete|launch|hand_in|submit <P> ~ by|before|until|on|no_later_than [the] <V>`,
      `<P> ~ has_to|must|needs_to ~ be ~ finished|done|ready|shipped|delivered|released|live|complete|completed|out ~ by|before|until|on [the] <V>`,
      `<P> ~ has_to|must|needs_to ~ ship|launch|go_live|land ~ by|before|on [the] <V>`,
      `<P> ~ ${be} ~ scheduled|planned|slated|set for|to|on [the] <V>`,
      `<WE> ~ deliver|ship|release|launch|submit <P> ~ on|by|at|before [the] <V>`,
      `the cut-off|cutoff|due_day|final_date for|of <P> ~ ${be} ~ <V>`,
      `<WE> ~ have ~ until|till [the] <V> for|to_finish|to_ship|to_deliver|to_release <P>`,
    ],
  },
]
