// From the words of a command line to the verb that runs.

#include "command_line.hpp"

#include <algorithm>
#include <cstdio>

#include "exit_code.hpp"
#include "help.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace collet::tool {
namespace {

Error misused(const std::string& message) {
  return Error(ErrorCode::invalid_argument, Category::runtime, message);
}

// The verb that was named, or the program where none was.
const CLI::App* named(const CLI::App* app) {
  const auto verbs = app->get_subcommands();
  return verbs.empty() ? app : verbs.front();
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

// "--json", "-v", ...: what may follow the verb.
std::vector<std::string> option_names(const CLI::App& app, const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::App* one : {&verb, &app}) {
    for (const CLI::Option* option : one->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    }
  }
  return names;
}

// What is wrong with the command line, in a sentence.
Error explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& verb = *named(&app);
  const std::string see = "See collet " + (&verb == &app ? "" : verb.get_name() + " ") + "--help.";
  const std::vector<std::string> left = app.remaining(true);
  if (left.empty()) {
    if (&verb == &app && error.get_name() == "RequiredError")
      return misused("No verb is given.").with_hint("The verbs are: " + joined(verb_names(app)) + ".");
    if (error.get_name() == "RequiredError")
      return misused("collet " + verb.get_name() + " is not complete: " + error.what() + ".").with_hint(see);
    return misused(std::string("The command line is not understood: ") + error.what() + ".").with_hint(see);
  }

  const std::string& word = left.front();
  if (word.starts_with('-')) {
    const std::string name = word.substr(0, word.find('='));
    const std::string of = &verb == &app ? "collet" : "collet " + verb.get_name();
    return misused(of + " has no option \"" + name + "\"." + did_you_mean(name, option_names(app, verb)))
        .with_hint(see);
  }
  if (&verb == &app) {
    const std::vector<std::string> names = verb_names(app);
    return no_such("verb", word, names).with_hint("The verbs are: " + joined(names) + ".");
  }
  return misused("collet " + verb.get_name() + " does not take the argument \"" + word + "\".")
      .with_hint(see);
}

}  // namespace

void describe(CLI::App& app, Session& session) {
  app.require_subcommand(1);
  app.footer("collet devices\ncollet devices -v\ncollet default --device gpu\ncollet doctor --json");
  app.set_help_flag("-h,--help", "this text, or that of a verb");
  app.add_flag("--json", session.json, "the answer as JSON, see docs/schema");
  app.add_flag("--no-cache", session.no_cache, "probe now, whatever an earlier probe found");
  app.add_flag("--no-isolation", session.no_isolation, "probe in this process: a bad driver may end it");
  app.add_option("--timeout", session.timeout, "for the probe of each backend; 10 unless given")
      ->type_name("SECONDS");
  add_backends(app, session);
  add_devices(app, session);
  add_default(app, session);
  add_summary(app, session);
  add_status(app, session);
  add_doctor(app, session);
  add_check(app, session);
  add_emit(app, session);
  add_run(app, session);
  add_ring_bench(app, session);
  add_version(app, session);
  add_completion(app, session);
  // The shared options may stand before the verb and behind it.
  for (CLI::App* verb : app.get_subcommands({})) verb->fallthrough();
}

void add_device_option(CLI::App& verb, Session& session) {
  verb.add_option("--device", session.device,
                  "auto, gpu, vulkan, vulkan:1, opencl:cpu:0 or an index; wins over COLLET_BACKEND and "
                  "COLLET_DEVICE")
      ->type_name("SELECTOR");
}

int run(const std::vector<std::string>& words) {
  CLI::App app("Runs compute kernels on whatever this machine has, and says what ran.", "collet");
  Session session;
  describe(app, session);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // the parser takes them from the end
  } catch (const CLI::CallForHelp&) {
    const std::string text = help_text(app, *named(&app), output_style());
    return std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0 ? failed : done;
  } catch (const CLI::ParseError& error) {
    return complain(explain(app, error));
  }
  return session.verb();
}

}  // namespace collet::tool
