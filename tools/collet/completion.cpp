// collet completion: the script that lets a shell complete this command line. Made from the verbs themselves.

#include <fmt/format.h>

#include <algorithm>

#include "build.hpp"
#include "text.hpp"
#include "verbs.hpp"
#include "views.hpp"

namespace collet::tool {
namespace {

const std::vector<std::string>& shells() {
  static const auto* const names = new std::vector<std::string>{"bash", "zsh", "fish"};
  return *names;
}

// A word that may follow, and what it means. Options begin with two dashes.
struct Word {
  std::string text;
  std::string meaning;
  bool takes_value = false;
};

std::vector<Word> verbs(const CLI::App& app) {
  std::vector<Word> out;
  for (const CLI::App* verb : app.get_subcommands({})) {
    out.push_back({.text = verb->get_name(), .meaning = verb->get_description()});
  }
  return out;
}

// A verb's own options, or those of every verb for the program itself.
std::vector<Word> options(const CLI::App& app) {
  std::vector<Word> out;
  for (const CLI::Option* option : app.get_options()) {
    if (option == app.get_help_ptr() && app.get_parent() != nullptr) continue;
    for (const std::string& name : option->get_lnames()) {
      out.push_back({.text = "--" + name,
                     .meaning = option->get_description(),
                     .takes_value = option->get_type_size() != 0});
    }
  }
  return out;
}

// The words that a verb's argument can be.
std::vector<Word> arguments(const CLI::App& verb) {
  std::vector<std::string> known;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_name() == "BACKEND") known = backend_ids();
    if (option->get_name() == "SHELL") known = shells();
  }
  std::vector<Word> out;
  out.reserve(known.size());
  for (const std::string& text : known) out.push_back({.text = text, .meaning = {}});
  return out;
}

// What --device may begin with.
std::string selectors() { return "auto gpu " + fmt::format("{}", fmt::join(backend_ids(), " ")); }

std::string texts(const std::vector<Word>& words, const char* between = " ") {
  std::string out;
  for (const Word& word : words) out += (out.empty() ? "" : between) + word.text;
  return out;
}

// In single quotes.
std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4)
    text.replace(at, 1, "'\\''");
  return "'" + text + "'";
}

std::string bash(const CLI::App& app) {
  const std::string shared = texts(options(app));
  std::string cases;
  for (const CLI::App* verb : app.get_subcommands({})) {
    std::vector<Word> own = arguments(*verb);
    for (Word& option : options(*verb)) own.push_back(std::move(option));
    cases += fmt::format("    {}) words='{}{}{}' ;;\n", verb->get_name(), texts(own), own.empty() ? "" : " ",
                         shared);
  }
  return fmt::format(R"(# bash completion of collet: source it, or put it where bash-completion looks.
_collet() {{
  local verb='' word words
  COMPREPLY=()
  case "${{COMP_WORDS[COMP_CWORD - 1]}}" in
    --device) COMPREPLY=($(compgen -W '{selectors}' -- "${{COMP_WORDS[COMP_CWORD]}}")); return ;;
    --timeout) return ;;
  esac
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$word" in {names}) verb=$word; break ;; esac
  done
  case "$verb" in
{cases}    *) words='{top}' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -F _collet collet
)",
                     fmt::arg("selectors", selectors()), fmt::arg("names", texts(verbs(app), "|")),
                     fmt::arg("cases", cases), fmt::arg("top", texts(verbs(app)) + " " + shared));
}

// 'name:what it means', for _describe.
std::string described(const std::vector<Word>& words) {
  std::string out;
  for (const Word& word : words) out += (out.empty() ? "" : " ") + quoted(word.text + ":" + word.meaning);
  return out;
}

std::string zsh(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* verb : app.get_subcommands({})) {
    cases += fmt::format("    {}) own=({}) arguments=({}) ;;\n", verb->get_name(), described(options(*verb)),
                         texts(arguments(*verb)));
  }
  return fmt::format(R"(#compdef collet
# zsh completion of collet: put it into a folder of $fpath as _collet, or source it.
_collet() {{
  local verb='' word
  local -a own arguments verbs shared
  verbs=({verbs})
  shared=({shared})
  case "${{words[CURRENT - 1]}}" in
    --device) compadd {selectors}; return ;;
    --timeout) return 1 ;;
  esac
  for word in "${{(@)words[2,CURRENT - 1]}}"; do
    case "$word" in ({names}) verb=$word; break ;; esac
  done
  case "$verb" in
{cases}    *) _describe 'verb' verbs ;;
  esac
  (($#arguments)) && compadd -a arguments
  (($#own)) && _describe 'option' own
  _describe 'option of every verb' shared
}}
if [[ $funcstack[1] == _collet ]]; then _collet "$@"; else compdef _collet collet; fi
)",
                     fmt::arg("verbs", described(verbs(app))), fmt::arg("shared", described(options(app))),
                     fmt::arg("selectors", selectors()), fmt::arg("names", texts(verbs(app), "|")),
                     fmt::arg("cases", cases));
}

std::string fish(const CLI::App& app) {
  std::string out = "# fish completion of collet: put it into ~/.config/fish/completions as collet.fish.\n";
  out += "complete -c collet -f\n";
  const auto add = [&](const std::string& when, const Word& word) {
    out += "complete -c collet";
    if (!when.empty()) out += " -n " + quoted(when);
    out += word.text.starts_with("--") ? " -l " + word.text.substr(2) : " -a " + quoted(word.text);
    if (word.takes_value) out += " -x";
    if (word.text == "--device") out += " -a " + quoted(selectors());
    if (!word.meaning.empty()) out += " -d " + quoted(word.meaning);
    out += "\n";
  };
  for (const Word& verb : verbs(app)) add("__fish_use_subcommand", verb);
  for (const Word& option : options(app)) add("", option);
  for (const CLI::App* verb : app.get_subcommands({})) {
    const std::string when = "__fish_seen_subcommand_from " + verb->get_name();
    for (const Word& option : options(*verb)) add(when, option);
    for (const Word& argument : arguments(*verb)) add(when, argument);
  }
  return out;
}

}  // namespace

std::string completion_text(const CLI::App& app, std::string_view shell) {
  return shell == "bash" ? bash(app) : shell == "zsh" ? zsh(app) : fish(app);
}

void add_completion(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("completion", "the script that lets a shell complete collet");
  verb->footer(
      "source <(collet completion bash)\ncollet completion fish > ~/.config/fish/completions/collet.fish");
  const auto shell = std::make_shared<std::string>();
  verb->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  verb->callback([&app, &session, shell] {
    session.verb = [&app, &session, shell] {
      if (std::ranges::find(shells(), *shell) == shells().end()) {
        return complain(no_such("shell", *shell, shells()).with_hint("Known are: " + joined(shells()) + "."));
      }
      return session.show(
          [&] {
            Json json = answer();
            json["shell"] = *shell;
            json["script"] = completion_text(app, *shell);
            return json;
          },
          [&](const Style&) { return completion_text(app, *shell); });
    };
  });
}

}  // namespace collet::tool
