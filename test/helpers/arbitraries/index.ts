export { brokenConversationOf, brokenConversations } from './broken.ts'
export { itemsOf, withItems } from './conversation-list.ts'
export {
  anyConversation,
  conversationOf,
  WIRE_FORMATS,
} from './conversations.ts'
export { answerTo, type DeciderScript, type ScriptedAnswer, scriptedDecider } from './decider.ts'
export { anyOptions, type OptionsSketch } from './options.ts'
export { type ConversationPayload, type ConversationSize, LONG } from './types.ts'
