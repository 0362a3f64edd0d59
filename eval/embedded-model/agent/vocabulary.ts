/** Words of the sessions that the model is fitted on. The measurement of planted facts has others. */
const words = (text: string): readonly string[] => text.trim().split(/\s+/)

export const COMPONENTS =
  words(`telescope greenhouse tramway bakery aquarium theatre orchard ferry clinic quarry lighthouse
planetarium brewery sawmill carousel stadium vineyard observatory funicular dairy pavilion laundry`)

export const THINGS =
  words(`lens valve ticket seed label ramp sensor menu pump curtain berth shelf filter roster stamp gauge
lever basket rail poster crane mirror engine bell ladder coupon hinge tray wheel badge lamp drawer`)

export const ACTS =
  words(`open weigh paint sort mount count stretch polish align rotate measure publish collect label assign
dim fold sign trim wash`)

export const NAMES = [
  'Odile Marchetti',
  'Bram Sorensen',
  'Keiko Adeyemi',
  'Paulo Novak',
  'Saskia Grant',
  'Ivo Castellan',
  'Noor Haddad',
]
export const COLOURS = words('amber crimson turquoise violet ochre indigo maroon teal')
export const COUNTRIES = words('Norway Chile Portugal Canada Ghana Vietnam')
export const CITIES = words('Lisbon Osaka Bergen Quito Tallinn Adelaide')
export const METHODS = [
  'a radix sort',
  'a bloom filter',
  'linear probing',
  'a skip list',
  'topological sorting',
]

export const ERRANDS = [
  'Please look at how {c} handles a {t} that is missing.',
  'Could you clean up the {t} part of {c}? I lose track in it.',
  'The {t} of {c} looks odd on small screens, what is going on?',
  'Let us get the {t} tests of {c} green.',
  'Next: give {c} a command to {a} every {t}.',
  'Compare the {t} of {c} with that of {d} and tell me what differs.',
  'I want {c} to {a} its {t} before {d} does.',
] as const

export const REMARKS = [
  'Done with the {t}: {c} now does {a} it once, {n} places changed.',
  'I see {n} uses of the {t} in {c}. Nothing else depends on it.',
  'Everything is green for {c}. The {t} stays as it was.',
  'That explains the {t}: {d} does {a} it first, {c} afterwards.',
] as const

export const SAYINGS = [
  '',
  'Let me look at {c}.',
  'Now the {t}.',
  'I check what {c} does with its {t}.',
  'First {c}.',
] as const

/** Tasks that an agent works on by itself for long. */
export const TASKS = [
  'Rework {c}: every {t} has to go through {d}. Begin with the smallest step and go on until all is done.',
  'Take over the ticket about the {t} of {c} and finish it.',
  'Implement the plan for {c} step by step.',
  'continue with the {t} of {c}',
  'Background job {n} finished (exit code 0). Read its output: /var/tmp/job-{n}/out.log',
] as const

/** Tasks that rest on the rules of a component. */
export const RULED_TASKS = [
  'Now add a {t} to {c} and write what belongs to it.',
  'Rewrite the {t} of {c}.',
  'Prepare {c} so that we can hand it over.',
  'Make {c} {a} its {t}, then tell me what you changed.',
] as const
