/** Sentences and what somebody else might have said for them, with few words in common. */
export const PAIRS: readonly (readonly [string, string])[] = [
  ['The flight to Lisbon leaves at nine.', 'Our plane for Portugal takes off in the morning.'],
  ['My daughter is allergic to peanuts.', 'The kid cannot eat nuts, she gets a reaction.'],
  [
    'The database migration failed because a column was missing.',
    'Updating the schema broke: one field did not exist.',
  ],
  ['Please answer in French from now on.', 'Use the French language for every reply.'],
  ['We ran out of disk space on the build server.', 'The CI machine has no storage left.'],
  ['He proposed to her on a beach in Greece.', 'They got engaged by the sea in Crete.'],
  [
    'The retry limit is read from the configuration file.',
    'How often it tries again is set in the settings.',
  ],
  [
    'I adopted a kitten from the animal shelter.',
    'A young cat that was rescued lives with me now.',
  ],
  [
    'The price of the subscription goes up in April.',
    'Next spring the monthly fee will be higher.',
  ],
  ['Never push directly to the main branch.', 'Commits must not go straight to master.'],
  ['Her grandmother taught her how to bake bread.', 'She learned making loaves from her nan.'],
  [
    'The unit tests pass, but the integration test times out.',
    'Small tests are green; the end-to-end one hangs.',
  ],
  [
    'It will rain all weekend in Hamburg.',
    'The forecast says wet weather for Saturday and Sunday.',
  ],
  [
    'The doctor told me to rest my knee for two weeks.',
    'I must not strain my leg for a fortnight, says the physician.',
  ],
  [
    'The cache grows without a bound and eats all memory.',
    'Entries are never evicted, so the process runs out of RAM.',
  ],
  [
    'We booked a table at the Italian restaurant.',
    'There is a reservation for dinner at the pizzeria.',
  ],
]
