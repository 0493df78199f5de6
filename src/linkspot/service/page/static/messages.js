// Messages in the form of banana-i18n, with PLURAL and GENDER.

const CHOICE = /\{\{(PLURAL|GENDER):\s*([^|{}]*)\|([^{}]*)\}\}/giu;
const ORDER = ["zero", "one", "two", "few", "many", "other"];
const { messages, language } = JSON.parse(document.querySelector("#data").textContent);
const rules = new Intl.PluralRules(language);
const categories = ORDER.filter((one) => rules.resolvedOptions().pluralCategories.includes(one));

export function say(key, ...values) {
  const put = (text) => text.replace(/\$(\d)/gu, (sign, number) => values[number - 1] ?? sign);
  return put(
    messages[key].replace(CHOICE, (_, kind, value, forms) =>
      kind.toUpperCase() === "PLURAL" ? plural(Number(put(value)), forms.split("|")) : gender(put(value), forms.split("|")),
    ),
  );
}

function plural(number, forms) {
  const exact = forms.find((form) => form.startsWith(`${number}=`));
  if (exact !== undefined) return exact.slice(exact.indexOf("=") + 1);
  const plain = forms.filter((form) => !/^\d+=/u.test(form));
  return plain[Math.min(categories.indexOf(rules.select(number)), plain.length - 1)];
}

function gender(value, forms) {
  return forms[{ male: 0, female: 1 }[value] ?? 2] ?? forms[0];
}

const percentages = new Intl.NumberFormat(language, { style: "percent" });

export function percent(probability) {
  if (probability > 0 && probability < 0.005) return `<${percentages.format(0.01)}`;
  return probability < 1 && probability > 0.995 ? `>${percentages.format(0.99)}` : percentages.format(probability);
}
