/** Short texts of the kinds that conversations hold. */
export const SAMPLE_TEXTS: Record<string, string> = {
  prose: `I don't think we've met. She'd been waiting since Tuesday, they're told, and it'll take a while
longer: the 3rd delivery (out of 12) hasn't arrived. "What's left?" he asked — nobody knew. We'll see…`,
  markdown: `## Install\n\n1. Run \`npm ci\`\n2. Copy \`.env.example\`\n\n| key | default |\n| --- | --- |\n| PORT | 8080 |\n\n> **Note:** don't commit secrets!\n`,
  typescript: `export async function readAll<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item) // O(n)
  return items.length > 0 ? items : Promise.reject(new Error('EMPTY_STREAM'))
}\n`,
  python: `class LRUCache(dict):\n    """Keeps the last \`size\` items."""\n\n    def __getitem__(self, key):\n        value = super().__getitem__(key)\n\t\tself.move_to_end(key)  # mixed tabs\n        return value if value is not None else 0x7F_FF\n`,
  json: `{"id":"call_9f8e7d","type":"function","function":{"name":"getWeather","arguments":"{\\"city\\":\\"Zürich\\",\\"days\\":3}"},"nested":[[],{},null,true,-1.5e-7]}`,
  logs: `2026-03-01T09:14:55.201Z ERROR [worker-7] job=8842 attempt=3/5 failed: ECONNRESET 10.0.3.17:5432 (took 1503ms)\r\n\tat Socket.emit (node:events:517:28)\r\n`,
  shell: `$ ls -la /usr/local/bin && find . -name '*.ts' | xargs wc -l >> /tmp/out.txt 2>&1; echo "exit: $?"\n`,
  base64:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  hex: 'c0ffee00deadbeef 5f3759df e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  html: `<!DOCTYPE html>\n<p class="lead">Tom &amp; Jerry&nbsp;&mdash; 50&#37; off</p><br/>\n<!-- done -->`,
  zh: '你好，世界！今天的天气怎么样？我们明天下午三点在会议室讨论第二季度的预算。',
  ja: 'こんにちは、世界。これはテストです。カタカナとひらがな、それに漢字が混ざっています。ｶﾀｶﾅも。',
  ko: '안녕하세요, 세계! 내일 오후 세 시에 회의실에서 만나요. 예산은 1,200만 원입니다.',
  ar: 'مرحبا بالعالم، كيف حالك اليوم؟ سنلتقي غدًا في الساعة الثالثة. العدد ٤٢.',
  he: 'שלום עולם! נִפָּגֵשׁ מחר בשעה שלוש אחר הצהריים.',
  ru: 'Здравствуй, мир! Завтра в три часа обсудим бюджет на второй квартал — не опаздывай.',
  hi: 'नमस्ते दुनिया! कल दोपहर तीन बजे मिलते हैं। संख्या १२३।',
  th: 'สวัสดีชาวโลก พรุ่งนี้บ่ายสามโมงเจอกันที่ห้องประชุมนะครับ',
  vi: 'Chào thế giới! Ngày mai chúng ta gặp nhau lúc ba giờ chiều nhé.',
  de: 'Fußgängerübergänge, Straßenbahnhaltestelle und ẞ: größtmögliche Wörter wie Donaudampfschifffahrt.',
  emoji: '👋🏽 Hi 👨‍👩‍👧‍👦! 🇨🇭🇯🇵 ok👍 1️⃣2️⃣ ❤️‍🔥 done ✅…',
  special: '<|endoftext|> <|im_start|>user<|im_end|><|endofprompt|><|fim_prefix|>x<|fim_suffix|>',
  mathematics: '∀ε>0 ∃δ>0: |x−a|<δ ⇒ |f(x)−f(a)|<ε; ½ + ⅓ = ⅚, x² ≠ x³, Ⅷ ④ 𝟘𝟙𝟚 𝔘𝔫𝔦',
}
