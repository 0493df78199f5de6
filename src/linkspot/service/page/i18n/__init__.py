"""Messages of the page in many languages, in the form of banana-i18n; qqq.json says what each is for."""
