/** Conversations that tests paste. */

export function longConversation(messages: number): string {
  const topics = ['invoice export', 'login form', 'search index', 'backup job', 'mail templates']
  const turns = Array.from({ length: Math.floor((messages - 2) / 2) }, (_, turn) => {
    const topic = topics[turn % topics.length]
    return [
      {
        role: 'user',
        content: `Question ${turn}: how does the ${topic} treat case ${(turn * 7) % 113}? ${'It fails for long inputs. '.repeat(turn % 9)}`,
      },
      {
        role: 'assistant',
        content: `The ${topic} has module ${turn % 37} for it. ${`Look at step ${turn}. `.repeat(1 + ((turn * 13) % 40))}`,
      },
    ]
  }).flat()
  return JSON.stringify({
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'Answer in a few sentences.' },
      ...turns,
      { role: 'user', content: 'Now the backup job: what did we say about case 21?' },
    ],
  })
}

/** A number that a browser cannot hold, and spelling that a parser forgets. */
export const ODD_NUMBERS = `{
  "messages": [
    {"role":"user","content":"Remember 1.0 and the big one.","x_number":12345678901234567890,"x_float":1.0},
    {"role":"assistant","content":"Noted."},
    {"role":"user","content":"Go on."}
  ]
}`

export const BROKEN = JSON.stringify({
  format: 'openai-chat',
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 17 },
  ],
})
