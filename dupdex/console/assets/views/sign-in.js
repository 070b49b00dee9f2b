/* Sign in with an API key of the gateway; the browser then holds a session, and no script the key. */
import { go } from "../navigation.js";
import { h, put } from "../dom.js";
import { say } from "../preferences.js";
import { goal, signIn } from "../session.js";

export function show(main, _parts, query) {
  const key = h("input", { id: "key", type: "password", autocomplete: "current-password", spellcheck: "false", required: true, dir: "ltr", "aria-describedby": "key-about" });
  const button = h("button", { class: "main", type: "submit" }, say("登录", "Sign in"));
  const wrong = h("div", { id: "wrong" });
  async function submit(event) {
    event.preventDefault();
    button.disabled = true;
    put(wrong);
    try {
      await signIn(key.value);
      key.value = "";
      await go(goal(query), { replace: true });
    } catch (error) {
      const words = error.status === 401 ? say("密钥不存在、已过期或已撤销。", "The key is unknown, has expired or was revoked.") : error.message;
      put(wrong, h("p", { class: "state failed", role: "alert" }, words));
      key.setAttribute("aria-invalid", "true");
      key.focus();
      key.select();
    } finally {
      button.disabled = false;
    }
  }
  put(main, h("form", { class: "card narrow", onsubmit: submit },
    h("h1", {}, say("登录", "Sign in")),
    h("input", { type: "text", autocomplete: "username", value: "dupdex", hidden: true }), // what a password manager calls it
    h("label", { for: "key" }, say("API 密钥", "API key"), key),
    h("p", { id: "key-about", class: "soft small" }, say("管理员用 dupdex keys create 发放密钥。会话保持 12 小时，密钥撤销即失效。", "Whoever runs the gateway makes keys with 'dupdex keys create'. You stay signed in for 12 hours, unless the key is revoked.")),
    wrong, h("div", {}, button)));
  key.focus({ preventScroll: true });
}
